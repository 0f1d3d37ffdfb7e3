import { rebuild } from './setup.mjs';

await rebuild();
