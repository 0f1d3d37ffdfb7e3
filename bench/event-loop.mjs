// How long anything else waits while a large batch is planned: node bench/event-loop.mjs types.json [pods] [family]
// The planner is the controller's own, in slices, on the machine's clock.
import { readFileSync } from 'node:fs';
import { misused, readCommandLine, wholeNumber } from '../scripts/command-line.mjs';
import { load } from './bundle.mjs';

const usage = 'node bench/event-loop.mjs types.json [pods] [family]';
const { positionals } = readCommandLine(usage, { allowPositionals: true });
const [file, pods = '20000', family = 'diverse'] = positionals;
if (file === undefined) misused('the file of instance types is missing', usage);
const count = wholeNumber('[pods]', pods, usage);
const { measure } = await load('event-loop.ts');
const figures = await measure(JSON.parse(readFileSync(file, 'utf8')), count, family);
console.log(JSON.stringify(figures, undefined, 2));
