import { expect, test } from 'vitest';
import { playStory } from './stories/story.ts';
import { verdictOf } from './stories/verdict.ts';

/** More of them: `STORIES=1-200 npx vitest run test/world/stories.test.ts`. A seed is always the same story. */
const [first = 1, last = first] = (process.env.STORIES ?? '10-13').split('-').map(Number);
const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);

test.each(seeds)(
  'whatever users and the cloud do, the cluster comes to a just, quiet and clean end (seed %i)',
  async (seed) => {
    const story = await playStory(seed);
    try {
      expect(await verdictOf(story), story.log.join('\n')).toEqual([]);
    } finally {
      story.stop();
      await story.world.close();
    }
  },
);
