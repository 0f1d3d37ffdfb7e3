// How long anything else waits while a controller takes a whole cluster in: node bench/intake.mjs [pods] [family]
// Informers, client and cluster state are the controller's own; the server is a list of pages in this process.
import { load } from './bundle.mjs';

const [pods = '20000', family = 'diverse'] = process.argv.slice(2);
const { measure } = await load('intake.ts');
console.log(JSON.stringify(await measure(Number(pods), family), undefined, 1));
