// npm run bench: see main.ts for the commands.
import { load } from './bundle.mjs';

const { main } = await load('main.ts');
await main(process.argv.slice(2));
