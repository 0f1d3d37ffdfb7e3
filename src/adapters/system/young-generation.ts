import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The room for new values, and as much again to copy those into that are still in use. */
const bothHalvesMiB = 16;
const enoughRounds = 400;

/**
 * Has garbage collected in pieces half as large as Node would by itself, so that lease and health
 * wait half as long for it. Must be called before much is loaded, since the young generation
 * grows and hardly ever shrinks. A size that the user asked Node for is left alone.
 */
export function keepYoungGenerationSmall(): void {
  if (isSetByUser()) return;
  const kept: object[] = [];
  for (let round = 0; round < enoughRounds && sizeMiB() < bothHalvesMiB; round++) fill(kept);
  // `--max-semi-space-size` is read once, when Node starts; by how much to grow is read each time.
  setFlagsFromString('--semi-space-growth-factor=1');
}

function isSetByUser(): boolean {
  const flags = [process.env.NODE_OPTIONS ?? '', ...process.execArgv];
  return flags.some((flag) => /semi[-_]space/.test(flag));
}

/** It doubles whenever as much as it holds has survived. */
function fill(kept: object[]): void {
  for (let count = 0; count < 16; count++) kept.push(new Array(1_000).fill(0));
}

function sizeMiB(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return (space?.space_size ?? Infinity) / 2 ** 20;
}
