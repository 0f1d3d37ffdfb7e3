// How long anything else waits while a controller takes a whole cluster in: node bench/intake.mjs [pods] [family]
// Informers, client and cluster state are the controller's own; the server is a list of pages in this process.
import { readCommandLine, wholeNumber } from '../scripts/command-line.mjs';
import { load } from './bundle.mjs';

const usage = 'node bench/intake.mjs [pods] [family]';
const { positionals } = readCommandLine(usage, { allowPositionals: true });
const [pods = '20000', family = 'diverse'] = positionals;
const count = wholeNumber('[pods]', pods, usage);
const { measure } = await load('intake.ts');
console.log(JSON.stringify(await measure(count, family), undefined, 1));
