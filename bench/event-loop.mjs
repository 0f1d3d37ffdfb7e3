// How long anything else waits while a large batch is planned: node bench/event-loop.mjs types.json [pods] [family]
// The planner is the controller's own, in slices, on the machine's clock.
import { readFileSync } from 'node:fs';
import { load } from './bundle.mjs';

const [file, pods = '20000', family = 'diverse'] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node bench/event-loop.mjs types.json [pods] [family]');
  process.exit(2);
}
const { measure } = await load('event-loop.ts');
const figures = await measure(JSON.parse(readFileSync(file, 'utf8')), Number(pods), family);
console.log(JSON.stringify(figures, undefined, 2));
