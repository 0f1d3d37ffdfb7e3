// How many interruption messages a second the controller handles: node bench/interruption.mjs [messages]
// Everything is in this process, the queue included, so that the figure is what we cost and not the network.
import { readCommandLine, wholeNumber } from '../scripts/command-line.mjs';
import { root } from '../scripts/setup.mjs';
import { load } from './bundle.mjs';

const usage = 'node bench/interruption.mjs [messages]';
const { positionals } = readCommandLine(usage, { allowPositionals: true });
const messages = wholeNumber('[messages]', positionals[0] ?? '10000', usage);
const { measure } = await load('interruption.ts');
const figures = await measure(messages, root);
console.log(JSON.stringify(figures, undefined, 2));
