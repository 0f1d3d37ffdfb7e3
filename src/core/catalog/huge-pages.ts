import type { Resources } from '../quantity/resources.ts';

/** What of the amounts is left beside such huge pages: the memory that these are made of is gone. */
export function besideHugePages(amounts: Resources, pages: Resources): Resources {
  const taken = Object.entries(pages)
    .filter(([name]) => name.startsWith('hugepages-'))
    .reduce((sum, [, bytes]) => sum + bytes, 0);
  if (taken === 0 || amounts.memory === undefined) return amounts;
  return { ...amounts, memory: Math.max(0, amounts.memory - taken) };
}
