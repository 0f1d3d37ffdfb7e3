import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createSystemClock } from '../../adapters/system/system-clock.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Node, Snapshot } from '../../core/cluster/snapshot.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { Plan } from '../../core/scheduling/plan.ts';
import { aftermathOf } from '../../core/scheduling/refusing/refusal-aftermath.ts';
import { solve } from '../../core/scheduling/solve.ts';
import { integerBelow, type Random } from '../../ports/random.ts';
import { Planner } from './planner.ts';

const apps = ['a', 'b', 'c'];
const zones = ['a', 'b', 'c'];
const type = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 });

function one<T>(random: Random, list: readonly T[]): T {
  return list[integerBelow(random, list.length)] as T;
}

/** Rules between pods, spread most of all. */
function rulesOf(random: Random): Partial<Pod> {
  const term = () => ({
    topologyKey: one(random, [labels.zone, labels.hostname]),
    selector: { matchLabels: { app: one(random, apps) } },
    namespaces: ['default'],
  });
  const spread = () => ({
    ...term(),
    maxSkew: one(random, [1, 2]),
    isHard: one(random, [true, true, true, false]),
    minDomains: one(random, [undefined, 2, 3]),
    honorsNodeAffinity: one(random, [true, false]),
    honorsTaints: false,
  });
  const exclusive = () => [one(random, ['default/x', 'default/y'])];
  return one<() => Partial<Pod>>(random, [
    () => ({}),
    () => ({ affinity: [term()] }),
    () => ({ affinity: [term(), term()] }),
    () => ({ antiAffinity: [term()] }),
    () => ({ spread: [spread()] }),
    () => ({ spread: [spread()] }),
    () => ({ spread: [spread()] }),
    () => ({
      volumes: { alternatives: [new Map()], attachments: {}, exclusive: exclusive() },
    }),
  ])();
}

/** A few nodes and a pool that has none to give, though zones that it could open count as empty. */
class Cluster {
  readonly #random: Random;
  readonly #planner = new Planner(createSystemClock());
  readonly #pool;
  #nodes: readonly Node[];
  #waiting: readonly Pod[] = [];
  #supply = 0;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
    const values = one(random, [['c'], ['b', 'c'], zones]);
    this.#pool = aPool({
      instanceTypes: [type],
      limits: { nodes: 0 },
      requires: [{ key: labels.zone, operator: 'In', values }],
    });
    this.#nodes = Array.from({ length: 2 + integerBelow(random, 3) }, (_, index) => {
      const name = `n${index}`;
      const where = { [labels.zone]: one(random, ['a', 'b']), [labels.hostname]: name };
      const allocatable = { cpu: 3_000, memory: 2 ** 34, pods: one(random, [2, 4, 8]) };
      return aNode({ name, allocatable, labels: where });
    });
  }

  get solves(): number {
    return this.#planner.solves;
  }

  change(): void {
    const changes = [this.#come, this.#come, this.#go, this.#relabel, this.#bind, this.#arrive];
    one(this.#random, [...changes, this.#end]).call(this);
  }

  async round(): Promise<{ readonly plan: Plan; readonly isOverlooked: boolean }> {
    const snapshot = aSnapshot({ pools: [this.#pool], nodes: this.#nodes });
    const supply = String(this.#supply);
    const plan = await this.#planner.plan({ snapshot, pods: this.#waiting, supply });
    for (const node of this.#nodes) {
      const own = plan.placements.filter(({ nodeName }) => nodeName === node.name);
      this.#reserve(
        node,
        own.map(({ pod }) => pod.uid),
      );
    }
    return { plan, isOverlooked: this.#isOverlooked(snapshot, plan) };
  }

  /** Somebody would find a place now, and would have found one in a plan that remembers nothing. */
  #isOverlooked(snapshot: Snapshot, plan: Plan): boolean {
    const refused = plan.unplaced.map(({ pod }) => pod);
    const after = aftermathOf(snapshot, plan, { minValuesPolicy: 'Strict' }).snapshot;
    const isLess = ({ unplaced }: Plan): boolean => unplaced.length < refused.length;
    return isLess(solve(after, refused)) && isLess(solve(snapshot, this.#waiting));
  }

  #come(): void {
    const values = [one(this.#random, zones)];
    const inZone = [[{ key: labels.zone, operator: 'In' as const, values }]];
    const pod = aPod({
      name: `p${this.#count++}`,
      cpuMillis: one(this.#random, [500, 500, 1_000, 9_000]),
      priority: one(this.#random, [0, 1]),
      labels: { app: one(this.#random, apps) },
      ...rulesOf(this.#random),
      ...(one(this.#random, [true, false, false]) ? { wants: inZone } : {}),
    });
    this.#waiting = [...this.#waiting, pod];
  }

  #go(): void {
    const pod = one(this.#random, this.#waiting);
    this.#waiting = this.#waiting.filter((other) => other !== pod);
    for (const node of this.#nodes)
      this.#reserve(
        node,
        node.reservedFor.filter((uid) => uid !== pod?.uid),
      );
  }

  #relabel(): void {
    const pod = one(this.#random, this.#waiting);
    const changed = { ...pod, labels: { app: one(this.#random, apps) } };
    this.#waiting = this.#waiting.map((other) => (other === pod ? changed : other));
  }

  /** Binds a pod that never waited. */
  #bind(): void {
    const node = one(this.#random, this.#nodes);
    if (node.pods.length + node.reservedFor.length >= (node.allocatable.pods ?? 0)) return;
    const app = one(this.#random, apps);
    const pod = aPod({ name: `b${this.#count++}`, labels: { app }, nodeName: node.name });
    this.#replace(node, { ...node, pods: [...node.pods, pod] });
  }

  /** Binds a pod where it is expected. */
  #arrive(): void {
    const node = this.#nodes.find(({ reservedFor }) => reservedFor.length > 0);
    const pod = this.#waiting.find(({ uid }) => uid === node?.reservedFor[0]);
    if (node === undefined || pod === undefined) return;
    this.#waiting = this.#waiting.filter((other) => other !== pod);
    const pods = [...node.pods, { ...pod, nodeName: node.name }];
    this.#replace(node, { ...node, pods, reservedFor: node.reservedFor.slice(1) });
  }

  #end(): void {
    const node = one(this.#random, this.#nodes);
    if (node.pods.length === 0) return;
    this.#replace(node, { ...node, pods: node.pods.slice(1) });
    this.#supply++;
  }

  #reserve(node: Node, uids: readonly string[]): void {
    const isLess = node.reservedFor.some((uid) => !uids.includes(uid));
    if (isLess) this.#supply++;
    if (isLess || uids.length > node.reservedFor.length)
      this.#replace(node, { ...node, reservedFor: [...uids].sort() });
  }

  #replace(node: Node, other: Node): void {
    this.#nodes = this.#nodes.map((one) => (one === node ? other : one));
  }
}

test('whichever pods come, change, go and are bound, nobody stays refused who would find a place', async () => {
  let [rounds, solves, refused] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = createSeededRandom(seed);
      const cluster = new Cluster(random);
      for (let step = 0; step < 25; step++) {
        for (let count = integerBelow(random, 5); count >= 0; count--) cluster.change();
        // What the first round gave up is free for the second.
        await cluster.round();
        const { plan, isOverlooked } = await cluster.round();
        refused += plan.unplaced.length;
        expect([step, isOverlooked]).toEqual([step, false]);
        rounds += 2;
      }
      solves += cluster.solves;
    }),
    { numRuns: 25 },
  );
  expect(refused).toBeGreaterThan(rounds);
  expect(solves).toBeLessThan(rounds * 0.9);
});
