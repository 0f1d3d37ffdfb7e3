import type { TestWorld } from '../harness.ts';
import type { Chance } from './chance.ts';

/** What somebody does to the cluster or the cloud. Answers a word about it, for whoever reads the story. */
export type Act = (world: TestWorld, chance: Chance) => Promise<string>;

export const namespace = 'default';

export const merge = (body: object) => ({ type: 'merge', body }) as const;

/** So few names that the acts of a story often meet. */
export const appOf = (chance: Chance): string => `app-${chance.between(0, 5)}`;
export const poolOf = (chance: Chance): string => `pool-${chance.between(0, 2)}`;
