import type { Container, PodSpec, PodTemplate } from '../../../src/api/kubernetes/core.ts';
import type { Chance } from './chance.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
export const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'] as const;
export const dedicated = { key: 'dedicated', value: 'db', effect: 'NoSchedule' } as const;

/** A change of a pod's rules that somebody may have thought sensible. */
type Rule = (spec: PodSpec, app: string, chance: Chance) => PodSpec;

const rules: readonly Rule[] = [
  (spec, app, chance) => ({
    ...spec,
    topologySpreadConstraints: [
      {
        maxSkew: chance.between(1, 2),
        topologyKey: chance.oneOf(zone, zone, hostname, 'karpenter.sh/capacity-type'),
        whenUnsatisfiable: chance.oneOf('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
        labelSelector: { matchLabels: { app } },
        ...(chance.oneIn(4) ? { nodeTaintsPolicy: 'Honor' as const } : {}),
      },
    ],
  }),
  (spec, app, chance) => ({
    ...spec,
    affinity: {
      ...spec.affinity,
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app } }, topologyKey: chance.oneOf(hostname, zone) },
        ],
      },
    },
  }),
  (spec, _, chance) => ({
    ...spec,
    affinity: {
      ...spec.affinity,
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchLabels: { app: `app-${chance.between(0, 5)}` } },
            topologyKey: chance.oneOf(hostname, zone),
          },
        ],
      },
    },
  }),
  (spec, _, chance) => ({
    ...spec,
    containers: spec.containers.map((container) => ({
      ...container,
      ports: [{ containerPort: 80, hostPort: 8080 + chance.between(0, 1), protocol: 'TCP' }],
    })),
  }),
  (spec, _, chance) => ({
    ...spec,
    nodeSelector: {
      ...spec.nodeSelector,
      ...chance.oneOf<Readonly<Record<string, string>>>(
        { 'karpenter.sh/capacity-type': chance.oneOf('spot', 'on-demand') },
        { [zone]: chance.oneOf(...zones) },
        { 'kubernetes.io/arch': chance.oneOf('amd64', 'arm64') },
        { type: 'karpenter' },
        { 'example.com/nowhere': 'true' },
      ),
    },
  }),
  (spec) => ({
    ...spec,
    tolerations: [{ key: dedicated.key, operator: 'Exists' }],
  }),
  (spec, _, chance) => ({
    ...spec,
    affinity: {
      ...spec.affinity,
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: {
              matchExpressions: [{ key: zone, operator: 'In', values: [chance.oneOf(...zones)] }],
            },
          },
        ],
      },
    },
  }),
  (spec, _, chance) => ({
    ...spec,
    volumes: [
      {
        name: 'data',
        persistentVolumeClaim: { claimName: `data-${chance.oneOf('a', 'b', 'missing')}` },
      },
    ],
  }),
  (spec, _, chance) => ({
    ...spec,
    priorityClassName: chance.oneOf('system-cluster-critical', 'system-node-critical'),
  }),
];

/** The pods of a workload: a size, and up to two rules. */
export function aTemplate(app: string, chance: Chance): PodTemplate {
  const requests = {
    cpu: chance.oneOf('50m', '250m', '600m', '1', '1500m', '3', '7'),
    memory: chance.oneOf('64Mi', '512Mi', '2Gi', '6Gi'),
  };
  const main: Container = chance.oneIn(8)
    ? { name: 'main', image: 'x' }
    : { name: 'main', image: 'x', resources: { requests } };
  let spec: PodSpec = {
    containers: [main],
    terminationGracePeriodSeconds: chance.oneOf(0, 5, 30),
  };
  const count = chance.oneOf(0, 1, 1, 1, 2);
  for (let i = 0; i < count; i++) spec = chance.of(rules)?.(spec, app, chance) ?? spec;
  return {
    metadata: {
      labels: { app },
      ...(chance.oneIn(15) ? { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } : {}),
    },
    spec,
  };
}
