import { expect, test } from 'vitest';
import { aProvisioner, givenUpPod, roomyNode } from '../../../test/world/bare-provisioner.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { provision } from './provisioner.ts';

const podCount = 3_000;
const nodeCount = 20;
const podsPerNode = 50;

/** A clock on which every step of work takes long, so that everybody else has a turn after each. */
class SlowClock {
  #nowMs = 0;
  /** What was done since the last turn, and the most that was done between any two. */
  readonly done = new Map<string, number>();
  readonly most = new Map<string, number>();
  turns = 0;
  readonly schedule = () => () => {};

  nowMs(): number {
    this.#nowMs += 6;
    return this.#nowMs;
  }

  breathe(): Promise<void> {
    this.turns++;
    this.done.clear();
    return Promise.resolve();
  }

  count(what: string): void {
    const count = (this.done.get(what) ?? 0) + 1;
    this.done.set(what, count);
    this.most.set(what, Math.max(count, this.most.get(what) ?? 0));
  }
}

test('in a round over thousands of pods others have their turn after every few of them', async () => {
  const clock = new SlowClock();
  const parts = aProvisioner(clock, (what) => clock.count(what));
  const { informers, ledger, cluster } = parts.context;
  const room = { cpu: '64', pods: String(podsPerNode) };
  for (let index = 0; index < nodeCount; index++)
    informers.nodes.apply(roomyNode(`node-${index}`, room));
  for (let index = 0; index < podCount; index++) {
    informers.pods.apply(givenUpPod(`pod-${index}`, { cpu: '10m' }));
    ledger.reserve(`pod-${index}`, { kind: 'claim', name: 'gone' }, 0);
  }
  ledger.onChange(() => clock.count('ledger entries'));
  const decode = cluster.podOf;
  let decodings = 0;
  Object.defineProperty(cluster, 'podOf', {
    value: (object: PodObject) => {
      const known = decode(object);
      for (; decodings < cluster.work().pods; decodings++) clock.count('pods decoded');
      return known;
    },
  });
  await provision(parts);
  expect(decodings).toBe(podCount);
  expect(ledger.placeOf('pod-0')).toMatchObject({ kind: 'node' });
  expect(clock.turns).toBeGreaterThan(100);
  for (const [what, most] of clock.most) expect([what, most <= 64]).toEqual([what, true]);
  expect([...clock.most.keys()].sort()).toEqual([
    'decisions',
    'events',
    'ledger entries',
    'pods decoded',
  ]);
});
