import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Change, Remedy } from '../../explain/reason.ts';
import { remedyText } from '../../explain/remedy-text.ts';
import { isNameOfNode, labels } from '../../requirements/well-known.ts';
import { compareText } from '../../text-order.ts';
import type { Trial } from './near-miss.ts';
import { gapOf } from './near-miss-closest.ts';
import type { Inquiry, Look, Target } from './refusal-inquiry.ts';
import type { Obstacle } from './refusal-obstacle.ts';
import { limitStep, paring, requestStep } from './remedy-paring.ts';

/** A few good hints beat a list. */
const mostRemedies = 3;
/** Near misses whose remedy turns out not to help are given up after so many. */
const mostTried = 8;
/** Larger cuts are no advice. */
const leastShare = 0.25;

interface Candidate {
  readonly changes: readonly Change[];
  readonly target: Target;
  readonly size: number;
  readonly text: string;
}

export interface Found {
  readonly looks: readonly Look[];
  readonly nodes: readonly Trial[];
}

/**
 * The smallest changes that would give the pod a place, each tried out before it is told; in small
 * steps.
 */
export function* findingRemedies(
  pod: Pod,
  found: Found,
  inquiry: Inquiry,
): Generator<void, readonly Remedy[]> {
  if (found.looks.some(wouldHold)) return [];
  const told: Candidate[] = [];
  let tried = 0;
  for (const candidate of candidatesOf(pod, found)) {
    if (told.length === mostRemedies || tried === mostTried) break;
    if (told.some((other) => subjectOf(other) === subjectOf(candidate))) continue;
    tried += 1;
    if (yield* inquiry.trying(pod, candidate.changes, candidate.target)) told.push(candidate);
    yield;
  }
  const remedies = told.map(({ changes, text }) => ({ sentence: text, changes }));
  const single = remedies.filter(isSingle);
  if (single.length > 0) return single;
  // Two changes at once are worth telling only where no single one will do.
  const pools = found.looks.map(({ pool }) => pool);
  const pared: Remedy[] = [];
  for (const { changes } of remedies) {
    const fewer = yield* paring(pod, { changes, pools }, inquiry);
    const sentence = remedyText(fewer);
    if (!pared.some((other) => other.sentence === sentence))
      pared.push({ sentence, changes: fewer });
  }
  return pared.some(isSingle) ? pared.filter(isSingle) : pared;
}

function isSingle({ changes }: Remedy): boolean {
  return changes.length === 1;
}

/** A place that only this plan has overlooked needs no change. */
function wouldHold({ trials, missing }: Look): boolean {
  return trials.last === undefined && trials.funnel.considered > 0 && missing.length === 0;
}

function candidatesOf(pod: Pod, { looks, nodes }: Found): readonly Candidate[] {
  const all = new Map<string, Candidate>();
  const add = (trial: Trial, target: Target): void => {
    for (const changes of waysOut(trial.obstacles, { pod, target })) {
      const text = remedyText(changes);
      const size = sizeOf(changes, gapOf(trial.obstacles));
      const before = all.get(text);
      if (before === undefined || size < before.size)
        all.set(text, { changes, target, size, text });
    }
  };
  for (const { pool, trials, missing } of looks) {
    if (trials.last === undefined && missing.length > 0) add({ obstacles: missing }, { pool });
    for (const trial of trials.close) add(trial, { pool, type: trial.type });
  }
  for (const trial of nodes) add(trial, { nodeName: trial.nodeName ?? '' });
  return [...all.values()].sort((a, b) => a.size - b.size || compareText(a.text, b.text));
}

/** Every choice of one change per obstacle, as long as there are not too many of either. */
function waysOut(
  obstacles: readonly Obstacle[],
  at: { readonly pod: Pod; readonly target: Target },
): readonly (readonly Change[])[] {
  let ways: readonly (readonly Change[])[] = [[]];
  for (const obstacle of obstacles) {
    const changes = changesFor(obstacle, at);
    ways = ways
      .flatMap((way) => changes.map((change) => (isAmong(way, change) ? way : [...way, change])))
      .filter((way) => way.length <= 2);
    if (ways.length === 0 || ways.length > 8) return [];
  }
  return ways;
}

function isAmong(way: readonly Change[], change: Change): boolean {
  return way.some((other) => JSON.stringify(other) === JSON.stringify(change));
}

function changesFor(
  obstacle: Obstacle,
  { pod, target }: { readonly pod: Pod; readonly target: Target },
): readonly Change[] {
  const { constraint, key, value, asked = 0, has } = obstacle;
  const pool = 'pool' in target ? target.pool : undefined;
  switch (constraint) {
    case 'pool-requirements':
      return value === undefined ? [] : allowing(pool, key, value);
    case 'node-labels': {
      const drop: Change = { kind: 'drop-label-rule', key };
      return [...(obstacle.isPools === undefined ? [] : labelling(obstacle, pod, pool)), drop];
    }
    case 'taints':
      return [{ kind: 'tolerate', taints: obstacle.taints ?? [] }];
    case 'spread':
      if (has !== undefined) return [{ kind: 'raise-skew', key, from: asked, to: has }];
      return obstacle.isOthers ? [] : [{ kind: 'drop-pod-rule', rule: 'spread', key }];
    case 'affinity':
    case 'anti-affinity':
      return obstacle.isOthers ? [] : [{ kind: 'drop-pod-rule', rule: constraint, key }];
    case 'size':
      return lowering(obstacle);
    case 'host-ports':
      return [
        {
          kind: 'drop-host-ports',
          ports: (obstacle.ports ?? []).map(({ port, protocol }) => `${port}/${protocol}`),
        },
      ];
    case 'limits':
      return pool === undefined ? [] : [raising(pool, obstacle)];
    case 'min-values':
      return pool === undefined || has === undefined || has < 1
        ? []
        : [{ kind: 'lower-min-values', pool: pool.name, key, from: asked, to: has }];
    case 'volumes':
    case 'attachments':
    case 'capacity':
      return [];
  }
}

/** Labels that say which pool a node is of, or that a pool gives by name, are not opened up. */
function allowing(pool: Pool | undefined, key: string, value: string): readonly Change[] {
  if (pool === undefined || Object.hasOwn(pool.labels, key)) return [];
  if (key === labels.nodePool || key === labels.nodeClass) return [];
  return [{ kind: 'allow-value', pool: pool.name, key, value }];
}

function labelling(
  { key, isPools }: Obstacle,
  pod: Pod,
  pool: Pool | undefined,
): readonly Change[] {
  const value = pod.nodeAlternatives
    .map((wanted) => wanted.get(key))
    .flatMap((set) => (set?.kind === 'only' ? [...set.values] : []))
    .sort()[0];
  if (pool === undefined || value === undefined || isRestricted(key)) return [];
  return isPools === 'undefined'
    ? [{ kind: 'define-label', pool: pool.name, key, value }]
    : allowing(pool, key, value);
}

/** Labels in these domains are not a pool's to give. */
function isRestricted(key: string): boolean {
  const [domain = ''] = key.includes('/') ? key.split('/') : [''];
  return isNameOfNode(key) || /(^|\.)(kubernetes\.io|k8s\.io|karpenter\.sh)$/.test(domain);
}

function lowering({ key: resource, asked = 0, has = 0, isOthers }: Obstacle): readonly Change[] {
  const step = requestStep(resource);
  if (step === undefined || isOthers === true) return [];
  const to = Math.floor(has / step) * step;
  if (to < asked * leastShare || to <= 0) return [];
  return [{ kind: 'lower-request', resource, from: asked, to }];
}

function raising(pool: Pool, { limits = [] }: Obstacle): Change {
  return {
    kind: 'raise-limit',
    pool: pool.name,
    limits: limits.map(({ resource, limit, used, adds }) => {
      const step = limitStep(resource);
      const by = Math.ceil((used + adds - limit) / step) * step;
      return { resource, from: limit, to: limit + by };
    }),
  };
}

/** How much is asked of people: small numbers are raised readily, rules given up unwillingly. */
const weights: Readonly<Record<Change['kind'], number>> = {
  'raise-limit': 1,
  'allow-value': 1.5,
  tolerate: 1.6,
  'raise-skew': 1.8,
  'lower-min-values': 2,
  'define-label': 2.2,
  'lower-request': 0.5,
  'drop-host-ports': 2.5,
  'drop-pod-rule': 3,
  'drop-label-rule': 3,
};

function sizeOf(changes: readonly Change[], gap: number): number {
  let size = changes.length - 1;
  for (const change of changes) {
    size += weights[change.kind];
    if (change.kind === 'lower-request') size += (4 * (change.from - change.to)) / change.from;
    if (change.kind === 'tolerate') size += change.taints.length / 10;
  }
  return size + Math.min(1, gap) / 10;
}

/** Of remedies about the same thing the smallest is told. */
function subjectOf({ changes }: Candidate): string {
  return changes
    .map((change) => {
      const pool = 'pool' in change ? change.pool : '';
      const key = 'key' in change ? change.key : 'resource' in change ? change.resource : '';
      return `${change.kind} ${pool} ${key}`;
    })
    .join('; ');
}
