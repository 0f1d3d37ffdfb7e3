import type { Slot } from '../../cluster/workspace.ts';
import { labels } from '../../requirements/well-known.ts';
import { companyDomain, countedDomain, domainsToAvoid } from './domains.ts';
import { type Counter, capOf, type GroupRule } from './group.ts';
import type { Tie, Ties } from './topology.ts';

/** Labels whose values are settled for some pods, by key; and what rules see them, by `sight`. */
export type Pins = ReadonlyMap<string, string>;

/** The pin of pods on nodes that a rule does not look at. */
export const outOfSight = 'no';

/** The host name of an existing node. */
export function hostOf(slot: Slot): string {
  return slot.labels[labels.hostname] ?? slot.name;
}

/** Whether rules over the host name let one more pod onto an existing node. */
export function isBorneOn(ties: Ties, slot: Slot): boolean {
  const host = hostOf(slot);
  for (const { group, matches, cap } of ties.host) {
    const most = Math.min(cap, group.capIn(host));
    if (group.countIn(host) + (matches ? 1 : 0) > most) return false;
  }
  return ties.company.every(
    ({ group, matches }) => group.countIn(host) > 0 || (matches && !group.hasAny()),
  );
}

/** A domain in which a class would be, and the tie that looks at it. */
export interface Spot {
  readonly tie: Tie;
  readonly domain: string;
  /** What the rule counts there. */
  readonly counter: Readonly<Counter>;
  /** Whether pods there count for the rule. */
  readonly isSeen: boolean;
}

/** The domains that the pins settle, one for each rule over other labels than the host name. */
export function spotsOf({ zonal }: Ties, pins: Pins): readonly Spot[] {
  const spots: Spot[] = [];
  for (const tie of zonal) {
    const domain = pins.get(tie.group.rule.key);
    if (domain === undefined) continue;
    const isSeen = tie.sight === undefined || pins.get(tie.sight) !== outOfSight;
    spots.push({ tie, domain, counter: tie.group.counterIn(domain), isSeen });
  }
  return spots;
}

/** Whether the rules between pods let one more pod into the domains. */
export function isAllowed(spots: readonly Spot[]): boolean {
  for (const spot of spots) if (!isOpen(spot)) return false;
  return true;
}

/** Whether it must be with pods of which there are none anywhere, and is one of them itself. */
export function wouldBeFirst({ zonal, company }: Ties): boolean {
  const isBound = ({ group, isOwner }: Tie): boolean => isOwner && group.rule.kind === 'affinity';
  const needed = [...zonal.filter(isBound), ...company];
  return needed.some(({ group, matches }) => matches && !group.hasAny());
}

function isOpen({ tie, counter }: Spot): boolean {
  const { group, matches, isOwner, eligible } = tie;
  const { kind, maxSkew } = group.rule;
  if (kind !== 'anti-affinity' && !isOwner) return true;
  const count = counter.pods;
  const self = matches ? 1 : 0;
  if (kind === 'spread') return count + self - group.leastOf(eligible) <= maxSkew;
  if (kind === 'affinity') return count > 0 || (matches && !group.hasAny());
  return count + self <= Math.min(capOf(counter), isOwner ? self : Infinity);
}

/** How full the domains are in the eyes of everyone who wants pods like these spread. */
export function crowding(spots: readonly Spot[]): number {
  let sum = 0;
  for (const { tie, counter, isSeen } of spots) {
    const { group, matches } = tie;
    if (group.rule.kind !== 'spread' || !matches) continue;
    // Out of sight is no better than where they are fewest, so that the price decides.
    sum += isSeen ? counter.pods : group.leastAnywhere();
  }
  return sum;
}

/** Counts pods that are to come to new nodes in these domains; a negative number takes back. */
export function countAt(spots: readonly Spot[], pods: number): void {
  for (const { tie, domain, isSeen } of spots) if (isSeen) countTie(tie, domain, pods);
}

/** The same for domains as pins settle them. */
export function countInDomains(ties: Ties, pins: Pins, pods: number): void {
  countAt(spotsOf(ties, pins), pods);
}

/** Counts pods on an existing node. */
export function countOnSlot(ties: Ties, slot: Slot, pods: number): void {
  for (const tie of ties.zonal)
    for (const domain of domainsOn(slot, tie.group.rule)) countTie(tie, domain, pods);
  const host = hostOf(slot);
  for (const tie of ties.host) countTie(tie, host, pods);
  for (const { group, matches } of ties.company) if (matches) group.add(host, pods);
}

function domainsOn({ node, labels: own }: Slot, rule: GroupRule): readonly (string | undefined)[] {
  if (node === undefined) return [own[rule.key]];
  if (rule.kind === 'anti-affinity') return domainsToAvoid(node, rule);
  return [rule.kind === 'affinity' ? companyDomain(node, rule) : countedDomain(node, rule)];
}

function countTie(
  { group, matches, isOwner }: Pick<Tie, 'group' | 'matches' | 'isOwner'>,
  domain: string | undefined,
  pods: number,
): void {
  if (domain === undefined) return;
  if (matches) group.add(domain, pods);
  if (isOwner && group.rule.kind === 'anti-affinity')
    group.addOwners(domain, matches ? pods : 0, matches ? 0 : pods);
}
