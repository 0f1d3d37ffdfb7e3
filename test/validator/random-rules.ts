import fc from 'fast-check';
import type { InstanceType } from '../../src/core/catalog/instance-type.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import { requirementsOf } from '../../src/core/requirements/requirements.ts';
import { only } from '../../src/core/requirements/value-set.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { Case } from './random-cluster.ts';

/** The rules between pods, volumes and reservations, to be laid over a plain random cluster. */

const apps = ['red', 'blue'];
export const driver = 'ebs.csi.aws.com';

const selector = fc.oneof(
  fc.constantFrom(...apps).map((app) => ({ matchLabels: { app } })),
  fc.constant({ matchExpressions: [{ key: 'app', operator: 'Exists' as const }] }),
  fc.constant({
    matchExpressions: [{ key: 'app', operator: 'NotIn' as const, values: ['blue'] }],
  }),
  fc.constant(undefined),
);

const topologyKey = fc.constantFrom(
  labels.zone,
  labels.zone,
  labels.hostname,
  labels.hostname,
  labels.capacityType,
  'team',
);

const spreadConstraint: fc.Arbitrary<SpreadConstraint> = fc.record({
  topologyKey,
  maxSkew: fc.constantFrom(1, 1, 2, 3),
  isHard: fc.constantFrom(true, true, false),
  minDomains: fc.constantFrom(undefined, undefined, undefined, 2, 3),
  selector,
  honorsNodeAffinity: fc.constantFrom(true, true, false),
  honorsTaints: fc.boolean(),
});

export const podTerm: fc.Arbitrary<PodTerm> = fc.record({
  topologyKey,
  selector,
  namespaces: fc.constantFrom(['default'], ['default'], ['other'], []),
  namespaceSelector: fc.constantFrom(undefined, undefined, {}, { matchLabels: { team: 'x' } }),
});

const volumes: fc.Arbitrary<Pod['volumes']> = fc.record({
  alternatives: fc.constantFrom(
    [requirementsOf([])],
    [requirementsOf([{ key: labels.zone, operator: 'In', values: ['a'] }])],
    [
      requirementsOf([{ key: labels.zone, operator: 'In', values: ['b'] }]),
      requirementsOf([{ key: labels.zone, operator: 'In', values: ['a'] }]),
    ],
  ),
  attachments: fc.constantFrom({ [driver]: ['v1'] }, { [driver]: ['v2', 'v3'] }, {}),
  exclusive: fc.constantFrom(undefined, undefined, undefined, ['default/v1'], ['default/v2']),
});

/** How a workload stands to others; most have one rule, so that plans stay possible. */
const rules: fc.Arbitrary<Partial<Pod>> = fc
  .record({
    namespace: fc.constantFrom('default', 'default', 'other'),
    labels: fc.constantFrom({}, { app: 'red' }, { app: 'blue' }),
    rule: fc.oneof(
      fc.constant({}),
      spreadConstraint.map((one) => ({ spread: [one] })),
      fc.tuple(spreadConstraint, spreadConstraint).map((spread) => ({ spread })),
      podTerm.map((one) => ({ antiAffinity: [one] })),
      podTerm.map((one) => ({ affinity: [one] })),
      fc.tuple(podTerm, podTerm).map(([a, b]) => ({ affinity: [a], antiAffinity: [b] })),
      fc
        .tuple(podTerm, fc.integer({ min: 1, max: 100 }))
        .map(([one, weight]) => ({ preferredAntiAffinity: [{ ...one, weight }] })),
      volumes.map((one) => ({ volumes: one })),
      fc.tuple(volumes, spreadConstraint).map(([one, c]) => ({ volumes: one, spread: [c] })),
    ),
  })
  .map(({ rule, ...rest }) => ({ ...rest, ...rule }));

const reservation = fc.record({
  left: fc.constantFrom(0, 1, 2),
  priceUsdPerHour: fc.constantFrom(0.0001, 0.001),
});

export interface RuleSet {
  /** One per workload; used in turn. */
  readonly workloads: readonly Partial<Pod>[];
  /** One per bound pod; used in turn. */
  readonly bound: readonly Partial<Pod>[];
  readonly attachLimit: number | undefined;
  readonly reservation: { readonly left: number; readonly priceUsdPerHour: number } | undefined;
}

export const ruleSet: fc.Arbitrary<RuleSet> = fc.record({
  workloads: fc.array(rules, { minLength: 1, maxLength: 4 }),
  bound: fc.array(
    fc.record({
      labels: fc.constantFrom({}, { app: 'red' }, { app: 'blue' }),
      antiAffinity: fc.oneof(
        fc.constant(undefined),
        podTerm.map((one) => [one]),
      ),
      volumes: fc.oneof(
        { weight: 4, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: volumes },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  attachLimit: fc.constantFrom(undefined, 1, 3),
  reservation: fc.option(reservation, { nil: undefined }),
});

/** The same cluster with the rules laid over its pods, nodes and types. */
export function withRules(plain: Case, set: RuleSet): Case {
  const { snapshot } = plain;
  return {
    pods: plain.pods.map((pod) => {
      const workload = Number(/^w(\d+)-/.exec(pod.name)?.[1] ?? 0);
      return { ...pod, ...set.workloads[workload % set.workloads.length] };
    }),
    snapshot: {
      ...snapshot,
      namespaces: new Map([
        ['default', {}],
        ['other', { team: 'x' }],
      ]),
      nodes: snapshot.nodes.map((node) => ({
        ...node,
        labels: { [labels.hostname]: node.name, ...node.labels },
        pods: node.pods.map((pod, index) => ({
          ...pod,
          ...set.bound[index % set.bound.length],
        })),
        ...(set.attachLimit === undefined ? {} : { attachLimits: { [driver]: set.attachLimit } }),
      })),
      pools: snapshot.pools.map((pool) => ({
        ...pool,
        instanceTypes: pool.instanceTypes.map((type, index) =>
          index > 0 ? type : withReservation(type, set),
        ),
      })),
    },
  };
}

function withReservation(type: InstanceType, { reservation: one }: RuleSet): InstanceType {
  if (one === undefined) return type;
  const id = `cr-${type.name}`;
  const { left, priceUsdPerHour } = one;
  const kinds = type.offerings.map((offering) => offering.capacityType);
  return {
    ...type,
    requirements: new Map([
      ...type.requirements,
      [labels.zone, only(new Set([...type.offerings.map((offering) => offering.zone), 'a']))],
      [labels.capacityType, only([...kinds, 'reserved'])],
      ['karpenter.k8s.aws/capacity-reservation-id', only([id])],
      ['karpenter.k8s.aws/capacity-reservation-type', only(['default'])],
    ]),
    offerings: [
      ...type.offerings,
      {
        zone: 'a',
        capacityType: 'reserved',
        priceUsdPerHour,
        isAvailable: left > 0,
        reservation: { id, kind: 'default', left },
      },
    ],
  };
}
