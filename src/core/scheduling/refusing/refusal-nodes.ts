import { type Expected, expectedOn, factsOf } from '../../cluster/node-facts.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Node } from '../../cluster/snapshot.ts';
import type { Resources } from '../../quantity/resources.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { allowsAbsence, has } from '../../requirements/value-set.ts';
import { labels } from '../../requirements/well-known.ts';
import { byName } from '../../text-order.ts';
import type { Trial } from './near-miss.ts';
import type { Aftermath, Company } from './refusal-aftermath.ts';
import {
  domainObstacles,
  type Obstacle,
  type Reading,
  taintObstacles,
} from './refusal-obstacle.ts';
import { portObstacles, sizeObstacles } from './refusal-sieve.ts';

export interface NodeQuestion {
  readonly pod: Pod;
  readonly readings: readonly Reading[];
  readonly company: Company;
}

/** Nodes that a pod could be bound to: those that exist and are not on their way out, by name. */
export function candidateNodes({ snapshot, planned }: Aftermath): readonly Node[] {
  return snapshot.nodes.filter((node) => !node.isLeaving && !planned.has(node.name)).sort(byName);
}

/** What is between the pod and the node, by the reading of its labels that comes closest. */
export function nodeTrial(node: Node, question: NodeQuestion, daemons: readonly Pod[]): Trial {
  const { pod, readings, company } = question;
  const facts = factsOf(node);
  const expected = expectedOn(node, daemons);
  const common = [
    ...taintObstacles(pod, node.taints),
    ...company.ties.pinned.flatMap((key) => domainObstacles(company, key, facts.labels[key])),
    ...hostObstacles(company, facts.labels[labels.hostname] ?? node.name),
    ...sizeObstacles(pod, freeOn(node, facts.used, expected)),
    ...portObstacles(pod, [...facts.ports, ...expected.ports]),
    ...attachObstacles(pod, node),
  ];
  let best: readonly Obstacle[] | undefined;
  for (const { own, volume } of readings) {
    const found = [
      ...unmet(facts.labels, own, 'node-labels'),
      ...unmet(facts.labels, volume, 'volumes'),
    ];
    if (best === undefined || found.length < best.length) best = found;
  }
  return { obstacles: [...(best ?? []), ...common], nodeName: node.name };
}

function freeOn(node: Node, used: Resources, { requests, ofSomeTypes }: Expected): Resources {
  const free: Record<string, number> = {};
  for (const [name, amount] of Object.entries(node.allocatable))
    free[name] = amount - (used[name] ?? 0) - (requests[name] ?? 0) - (ofSomeTypes[name] ?? 0);
  return free;
}

function unmet(
  own: Readonly<Record<string, string>>,
  wanted: Requirements | undefined,
  constraint: 'node-labels' | 'volumes',
): readonly Obstacle[] {
  const found: Obstacle[] = [];
  for (const [key, set] of wanted ?? []) {
    const value = Object.hasOwn(own, key) ? own[key] : undefined;
    if (value === undefined ? !allowsAbsence(set) : !has(set, value))
      found.push({ constraint, key, value });
  }
  return found;
}

function hostObstacles({ ties }: Company, host: string): readonly Obstacle[] {
  const found: Obstacle[] = [];
  for (const { group, matches, isOwner, cap } of ties.host) {
    const count = group.countIn(host) + (matches ? 1 : 0);
    const { kind, key } = group.rule;
    if (count > group.capIn(host)) found.push({ constraint: kind, key, isOthers: true });
    else if (count > cap)
      found.push({
        constraint: kind,
        key,
        isOthers: !isOwner,
        ...(kind === 'spread' ? { asked: cap, has: count } : {}),
      });
  }
  for (const { group, matches } of ties.company)
    if (group.countIn(host) === 0 && !(matches && !group.hasAny()))
      found.push({ constraint: 'affinity', key: group.rule.key });
  return found;
}

function attachObstacles(pod: Pod, node: Node): readonly Obstacle[] {
  const wanted = pod.volumes?.attachments;
  const limits = node.attachLimits;
  if (wanted === undefined || limits === undefined) return [];
  return Object.entries(wanted).flatMap(([driver, volumes]): Obstacle[] => {
    const there = factsOf(node).attached.get(driver) ?? new Set();
    const all = new Set([...there, ...volumes]);
    const isWithin = all.size <= (limits[driver] ?? Infinity) || all.size === there.size;
    return isWithin ? [] : [{ constraint: 'attachments', key: driver }];
  });
}
