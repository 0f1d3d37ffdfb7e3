import { EC2ServiceException } from '@aws-sdk/client-ec2';
import { createSeededRandom } from '../../../src/adapters/system/seeded-random.ts';
import { KubeError } from '../../../src/ports/kube.ts';
import { createTestWorld, type Replica, type TestWorld } from '../harness.ts';
import type { Act } from './act.ts';
import { firstActs, growingActs, userActs } from './acts.ts';
import { Chance } from './chance.ts';
import { endTroubles, harmless, troubles } from './trouble.ts';
import { createVolumes } from './volumes.ts';
import { Witness } from './witness.ts';

const featureGates = { nodeOverlay: true, capacityBuffer: true };

/** One story of a seed: what was done, and the world in which it was done. */
export class Story {
  readonly world: TestWorld;
  readonly chance: Chance;
  readonly witness: Witness;
  /** What was done and when, for whoever wants to play it again by hand. */
  readonly log: string[] = [];
  readonly #startedMs: number;
  #replicas: Replica[] = [];

  /** Whether nothing was done that makes what was bought superfluous. */
  readonly isGrowing: boolean;

  constructor(world: TestWorld, chance: Chance) {
    this.world = world;
    this.chance = chance;
    this.isGrowing = chance.oneIn(2);
    this.witness = new Witness(world);
    this.#startedMs = world.clock.nowMs();
  }

  note(what: string): void {
    const seconds = ((this.world.clock.nowMs() - this.#startedMs) / 1000).toFixed(1);
    if (what !== '') this.log.push(`${seconds} s: ${what}`);
  }

  /** Ends whatever runs and starts anew. */
  restart(): void {
    this.stop();
    this.world.startKarpenter({ featureGates });
  }

  startTwo(): void {
    this.stop();
    this.#replicas = ['one', 'two'].map((name) =>
      this.world.startReplica(`${name}-${this.log.length}`),
    );
  }

  stop(): void {
    this.world.crash();
    for (const replica of this.#replicas) replica.kill();
    this.#replicas = [];
  }

  killOneOfTwo(): void {
    const [first, ...others] = this.#replicas;
    first?.kill();
    this.#replicas = others;
    if (others.length === 0) this.restart();
  }
}

/** Plays a story from its beginning to the end of all troubles. The caller closes the world. */
export async function playStory(seed: number): Promise<Story> {
  const chance = new Chance(createSeededRandom(seed));
  const world = await createTestWorld({
    seed,
    isBare: !chance.oneIn(4),
    speed: chance.between(1, 10),
  });
  const story = new Story(world, chance);
  await createVolumes(world);
  if (chance.oneIn(5)) story.startTwo();
  else story.restart();
  for (const act of firstActs) await perform(story, act);
  const isTroubled = chance.oneIn(2);
  const [own, others] = story.isGrowing ? [growingActs, harmless] : [userActs, troubles];
  for (let left = chance.between(4, 25); left > 0; left--) {
    await perform(story, isTroubled && chance.oneIn(3) ? chance.of(others) : chance.of(own));
    await world.runFor(chance.oneOf(0, 300, 1_500, 4_000, 15_000, 60_000));
    if (chance.oneIn(12)) restartSomehow(story);
  }
  endTroubles(world);
  story.note('troubles end');
  return story;
}

function restartSomehow(story: Story): void {
  const { chance } = story;
  const how = chance.oneOf('restart', 'startTwo', 'killOneOfTwo', 'crashSoon');
  story.note(how);
  if (how === 'crashSoon') story.world.crashAfterEffects(chance.between(1, 10));
  else story[how]();
}

async function perform(story: Story, act: Act | undefined): Promise<void> {
  try {
    story.note((await act?.(story.world, story.chance)) ?? '');
  } catch (error) {
    // Whoever acts on a throttled cloud is throttled too.
    if (error instanceof EC2ServiceException && error.name === 'RequestLimitExceeded') return;
    if (!(error instanceof KubeError)) throw error;
    // What was there already, or is not there, a user cannot create or change.
    if (!['already-exists', 'not-found', 'conflict'].includes(error.kind))
      story.note(`refused: ${error.message}`);
  }
}
