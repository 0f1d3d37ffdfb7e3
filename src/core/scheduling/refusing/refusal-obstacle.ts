import { type HostPort, type Pod, type Taint, tolerates } from '../../cluster/pod.ts';
import type { Constraint } from '../../explain/reason.ts';
import { combine, type Requirements } from '../../requirements/requirements.ts';
import type { Tie } from '../between-pods/topology.ts';
import type { Company } from './refusal-aftermath.ts';

/** One thing between a pod and a place. What it takes to remove it is told by its fields. */
export interface Obstacle {
  readonly constraint: Constraint;
  /** The label, resource or topology key; empty where the rule has none. */
  readonly key: string;
  /** What the place has under the label, where it has one value. */
  readonly value?: string | undefined;
  /** The label is the pool's to allow or define, rather than the machine's to have. */
  readonly isPools?: 'conflict' | 'undefined' | undefined;
  /** The place lacks the label that a rule between pods needs. */
  readonly isUnlabelled?: boolean | undefined;
  readonly taints?: readonly Taint[] | undefined;
  readonly ports?: readonly HostPort[] | undefined;
  /** Size: what the pod asks for and the place has. Skew: what is allowed and what it would be. */
  readonly asked?: number | undefined;
  readonly has?: number | undefined;
  readonly limits?: readonly Overshoot[] | undefined;
  /** The rule, or the size, is another pod's, so that this pod cannot give it up. */
  readonly isOthers?: boolean | undefined;
}

export interface Overshoot {
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
  /** What the node would add. */
  readonly adds: number;
}

/** One way to read what the pod asks of labels: a term of its own, and one of its volumes. */
export interface Reading {
  readonly own: Requirements;
  readonly volume: Requirements | undefined;
  /** Both at once. */
  readonly wanted: Requirements;
}

/** More ways than these say nothing new. */
const mostReadings = 8;

/** Every term of the pod with every place of its volumes; any one of them suffices. */
export function readingsOf(pod: Pod): readonly Reading[] {
  const volumes = pod.volumes?.alternatives ?? [];
  const bound = volumes.every((one) => one.size > 0) ? volumes : [];
  const readings = pod.nodeAlternatives.flatMap((own): Reading[] =>
    bound.length === 0
      ? [{ own, volume: undefined, wanted: own }]
      : bound.map((volume) => ({ own, volume, wanted: combine(own, volume) })),
  );
  return readings.slice(0, mostReadings);
}

/** The taints that keep the pod away, as one obstacle. */
export function taintObstacles(pod: Pod, taints: readonly Taint[]): readonly Obstacle[] {
  if (taints.length === 0) return [];
  const repelling = taints.filter(
    (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(pod.tolerations, taint),
  );
  return repelling.length === 0 ? [] : [{ constraint: 'taints', key: '', taints: repelling }];
}

/** What rules between pods have against one domain; `undefined` is a place without the label. */
export function domainObstacles(
  { ties }: Pick<Company, 'ties'>,
  key: string,
  domain: string | undefined,
): readonly Obstacle[] {
  if (!ties.pinned.includes(key)) return [];
  return ties.zonal
    .filter((tie) => tie.group.rule.key === key)
    .flatMap((tie) => (domain === undefined ? unlabelled(tie) : closed(tie, domain)));
}

/** Only who must be spread, or be near others, needs the label. */
function unlabelled({ group: { rule }, isOwner }: Tie): readonly Obstacle[] {
  if (!isOwner || rule.kind === 'anti-affinity') return [];
  return [{ constraint: rule.kind, key: rule.key, isUnlabelled: true }];
}

function closed(tie: Tie, domain: string): readonly Obstacle[] {
  const { group, matches, isOwner, eligible } = tie;
  const { kind, key, maxSkew } = group.rule;
  const count = group.countIn(domain);
  const self = matches ? 1 : 0;
  const obstacle = { constraint: kind, key, value: domain, isOthers: !isOwner } as const;
  if (kind === 'spread') {
    const skew = count + self - group.leastOf(eligible);
    return !isOwner || skew <= maxSkew ? [] : [{ ...obstacle, asked: maxSkew, has: skew }];
  }
  if (kind === 'affinity')
    return !isOwner || count > 0 || (matches && !group.hasAny()) ? [] : [obstacle];
  if (count + self > group.capIn(domain)) return [{ ...obstacle, isOthers: true }];
  return isOwner && count + self > self ? [obstacle] : [];
}

/** The fewest obstacles that one of the domains has; a place may choose among them. */
export function choiceObstacles(
  company: Pick<Company, 'ties'>,
  key: string,
  domains: readonly (string | undefined)[],
): readonly Obstacle[] {
  let best: readonly Obstacle[] | undefined;
  for (const domain of domains) {
    const found = domainObstacles(company, key, domain);
    if (best === undefined || found.length < best.length) best = found;
  }
  return best ?? domainObstacles(company, key, undefined);
}
