// How many interruption messages a second the controller handles: node bench/interruption.mjs [messages]
// Everything is in this process, the queue included, so that the figure is what we cost and not the network.
import { root } from '../scripts/setup.mjs';
import { load } from './bundle.mjs';

const { measure } = await load('interruption.ts');
const figures = await measure(Number(process.argv[2] ?? 10_000), root);
console.log(JSON.stringify(figures, undefined, 2));
