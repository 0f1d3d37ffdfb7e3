import fc from 'fast-check';
import type { InstanceType } from '../../src/core/catalog/instance-type.ts';
import type { Pod, Taint, Toleration } from '../../src/core/cluster/pod.ts';
import type { Node, Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { RequirementTerm } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { aDaemon, aNode, aPod, aPool, aSnapshot, aType, gibibyte } from './builders.ts';
import { ruleSet, withRules } from './random-rules.ts';

/** A small cluster and pods that wait, so tight that every rule is hit often. */
export interface Case {
  readonly snapshot: Snapshot;
  readonly pods: readonly Pod[];
}

const zones = ['a', 'b'];
const dedicated: Taint = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };
const evicting: Taint = { key: 'dedicated', value: 'web', effect: 'NoExecute' };
const discouraging: Taint = { key: 'old', effect: 'PreferNoSchedule' };

export const instanceType: fc.Arbitrary<InstanceType> = fc
  .record({
    cpu: fc.constantFrom(1, 2, 4, 8),
    memoryGi: fc.constantFrom(1, 4, 8),
    pods: fc.constantFrom(2, 4, 20),
    cents: fc.integer({ min: 1, max: 30 }),
    zones: fc.subarray(zones, { minLength: 1 }),
    hasSpot: fc.boolean(),
    arch: fc.constantFrom('amd64', 'amd64', 'arm64'),
    isDry: fc.boolean(),
  })
  .map(({ cents, hasSpot, isDry, ...rest }) => {
    const name = `${rest.arch[0]}${rest.cpu}-${rest.memoryGi}-${rest.pods}-${cents}.x`;
    const type = aType({
      name,
      ...rest,
      onDemandUsd: cents / 100,
      ...(hasSpot ? { spotUsd: cents / 300 } : {}),
    });
    return isDry
      ? { ...type, offerings: type.offerings.map((o, i) => ({ ...o, isAvailable: i > 0 })) }
      : type;
  });

export const term: fc.Arbitrary<RequirementTerm> = fc.oneof(
  fc.constantFrom(...zones).map((zone) => ({
    key: labels.zone,
    operator: 'In' as const,
    values: [zone],
  })),
  fc.constantFrom('spot', 'on-demand').map((kind) => ({
    key: labels.capacityType,
    operator: 'In' as const,
    values: [kind],
  })),
  fc.constantFrom('amd64', 'arm64').map((arch) => ({
    key: labels.arch,
    operator: 'NotIn' as const,
    values: [arch],
  })),
  fc.constantFrom('red', 'blue').map((team) => ({
    key: 'team',
    operator: 'In' as const,
    values: [team],
  })),
  fc.constant({ key: 'team', operator: 'NotIn' as const, values: ['red'] }),
  fc.constant({ key: 'team', operator: 'Exists' as const }),
  fc.constant({ key: 'team', operator: 'DoesNotExist' as const }),
  fc.constant({ key: 'level', operator: 'Gt' as const, values: ['3'] }),
);

const tolerations: fc.Arbitrary<readonly Toleration[]> = fc.constantFrom(
  [],
  [],
  [{ key: 'dedicated', operator: 'Exists' as const }],
  [{ key: 'dedicated', operator: 'Equal' as const, value: 'batch' }],
  [{ key: 'dedicated', value: 'web', effect: 'NoExecute' as const }],
  [{ key: 'dedicated', operator: 'Exists' as const, effect: 'NoSchedule' as const }],
  [{ operator: 'Exists' as const }],
);

const workload = fc
  .record({
    amount: fc.integer({ min: 1, max: 9 }),
    cpuMillis: fc.constantFrom(0, 250, 1000, 3000, 9000),
    memoryGi: fc.constantFrom(0, 0.5, 3),
    wants: fc.array(fc.array(term, { maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    tolerations,
    hostPorts: fc.constantFrom([], [], [], [{ ip: '', port: 80, protocol: 'TCP' }]),
    unsupported: fc.constantFrom([], [], [], [], ['resourceClaims']),
  })
  .map(({ amount, ...wish }) => ({ amount, wish }));

const pool: fc.Arbitrary<Omit<Pool, 'name'>> = fc
  .record({
    weight: fc.constantFrom(0, 0, 10),
    requires: fc.array(term, { maxLength: 1 }),
    taints: fc.constantFrom([], [], [], [dedicated], [dedicated], [evicting], [discouraging]),
    limits: fc.constantFrom(
      {},
      {},
      { cpu: 6000 },
      { nodes: 2 },
      { memory: 9 * gibibyte, cpu: 9000 },
    ),
    instanceTypes: fc.uniqueArray(instanceType, {
      minLength: 1,
      maxLength: 6,
      selector: (type) => type.name,
    }),
    minValues: fc.constantFrom(
      undefined,
      undefined,
      new Map([['karpenter.k8s.aws/instance-family', 2]]),
      new Map([[labels.zone, 2]]),
      new Map([[labels.capacityType, 2]]),
    ),
    notReady: fc.constantFrom(undefined, undefined, undefined, 'its node class is missing'),
  })
  .map((wish) => aPool(wish));

const node: fc.Arbitrary<Node> = fc
  .record({
    stage: fc.constantFrom('ordered', 'launched', 'registered', 'initialized'),
    poolName: fc.constantFrom('pool-0', 'pool-1'),
    cpu: fc.constantFrom(1000, 4000),
    isLeaving: fc.constantFrom(false, false, true),
    taints: fc.constantFrom([], [], [dedicated], [evicting], [discouraging, dedicated]),
    zone: fc.constantFrom(...zones),
    bound: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ cpu, zone, bound, ...rest }) => {
    const size = { cpu, memory: 4 * gibibyte, pods: 6 };
    return aNode({
      ...rest,
      labels: { [labels.zone]: zone, team: 'red' },
      allocatable: size,
      capacity: size,
      pods: Array.from({ length: bound }, (_, i) => aPod({ name: `old-${i}`, cpuMillis: 250 })),
    });
  });

/** Rules of a node's labels, taints, size, ports and price alone. */
export const randomCase: fc.Arbitrary<Case> = fc
  .record({
    nodes: fc.array(node, { maxLength: 3 }),
    pools: fc.array(pool, { maxLength: 3 }),
    workloads: fc.array(workload, { minLength: 1, maxLength: 4 }),
    daemons: fc.array(fc.constantFrom(100, 500), { maxLength: 2 }),
    daemonTerm: fc.option(term, { nil: undefined }),
    reserved: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ nodes, pools, workloads, daemons, daemonTerm, reserved }) => {
    const waiting = workloads.flatMap(({ amount, wish }, index) =>
      Array.from({ length: amount }, (_, i) => aPod({ ...wish, name: `w${index}-${i}` })),
    );
    return {
      pods: waiting,
      snapshot: aSnapshot({
        nodes: nodes.map((one, index) => ({
          ...one,
          name: `node-${index}`,
          pods: one.pods.map((pod) => ({ ...pod, uid: `${pod.uid}-${index}` })),
          reservedFor: waiting.slice(index * reserved, (index + 1) * reserved).map((p) => p.uid),
        })),
        pools: pools.map((one, index) => named(one, `pool-${index}`)),
        daemons: daemons.map((cpuMillis, index) =>
          aDaemon({
            name: `daemon-${index}`,
            cpuMillis,
            ...(daemonTerm !== undefined && index === 0 ? { wants: [[daemonTerm]] } : {}),
          }),
        ),
      }),
    };
  });

/** The same with every rule between pods, volumes and reservations on top. */
export const randomCaseWithAllRules: fc.Arbitrary<Case> = fc
  .tuple(randomCase, ruleSet)
  .map(([plain, rules]) => withRules(plain, rules));

function named(one: Omit<Pool, 'name'>, name: string): Pool {
  const own = aPool({ name });
  const requirements = new Map(one.requirements);
  for (const [key, set] of own.requirements) requirements.set(key, set);
  return { ...one, name, requirements, labels: { ...one.labels, ...own.labels } };
}
