import type { Slot } from '../cluster/workspace.ts';
import { labels } from '../requirements/well-known.ts';
import type { Tie, Ties } from './topology.ts';

/** Labels whose values are settled for some pods, by key. */
export type Pins = ReadonlyMap<string, string>;

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

/** Whether the rules between pods let one more pod into the domains of the option. */
export function isAllowed(ties: Ties, pins: Pins): boolean {
  return ties.zonal.every((tie) => {
    const domain = pins.get(tie.group.rule.key);
    return domain === undefined || isOpen(tie, domain);
  });
}

function isOpen({ group, matches, isOwner, eligible }: Tie, domain: string): boolean {
  const count = group.countIn(domain);
  const self = matches ? 1 : 0;
  switch (group.rule.kind) {
    case 'spread':
      return !isOwner || count + self - group.leastOf(eligible) <= group.rule.maxSkew;
    case 'affinity':
      return !isOwner || count > 0 || (matches && !group.hasAny());
    case 'anti-affinity':
      return count + self <= Math.min(group.capIn(domain), isOwner ? self : Infinity);
  }
}

/** How full the domains are in the eyes of everyone who wants pods like these spread. */
export function crowding(ties: Ties, pins: Pins): number {
  let sum = 0;
  for (const { group, matches } of ties.zonal) {
    const domain = group.rule.kind === 'spread' && matches ? pins.get(group.rule.key) : undefined;
    if (domain !== undefined) sum += group.countIn(domain);
  }
  return sum;
}

/** Counts pods that are to come to new nodes in these domains; a negative number takes back. */
export function countInDomains(ties: Ties, pins: Pins, pods: number): void {
  for (const tie of ties.zonal) countTie(tie, pins.get(tie.group.rule.key), pods);
}

/** Counts pods on an existing node. */
export function countOnSlot(ties: Ties, slot: Slot, pods: number): void {
  for (const tie of ties.zonal) countTie(tie, slot.labels[tie.group.rule.key], pods);
  const host = hostOf(slot);
  for (const tie of ties.host) countTie(tie, host, pods);
  for (const { group, matches } of ties.company) if (matches) group.add(host, pods);
}

function countTie(
  { group, matches, isOwner }: Pick<Tie, 'group' | 'matches' | 'isOwner'>,
  domain: string | undefined,
  pods: number,
): void {
  if (domain === undefined) return;
  if (matches) group.add(domain, pods);
  if (isOwner && group.rule.kind === 'anti-affinity') group.addOwners(domain, pods, matches);
}
