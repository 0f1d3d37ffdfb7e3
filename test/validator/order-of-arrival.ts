import type { Pod, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import { type Place, valuesAt } from './places.ts';
import { isMeant } from './pod-rules.ts';
import { reachOf, textOf } from './reach.ts';
import {
  count,
  fewest,
  hardConstraints,
  type SpreadWatch,
  skewFault,
  watchOf,
} from './spread-watch.ts';

/** Pods that are alike for these rules and come to the same place. */
interface Arrival {
  readonly pod: Pod;
  readonly place: Place;
  readonly watches: readonly SpreadWatch[];
  /** Those that have not come yet. */
  readonly left: Pod[];
  /** The same for all arrivals that have the same rules, and so are stuck for the same reasons. */
  readonly kind: string;
}

interface Presence {
  readonly pod: Pod;
  readonly place: Place;
}

interface Scene {
  readonly snapshot: Snapshot;
  readonly places: readonly Place[];
  readonly watches: readonly SpreadWatch[];
  readonly present: Presence[];
}

interface Sequence {
  readonly order: readonly Presence[];
  readonly faults: readonly string[];
  /** The kinds of arrivals that found no way in. */
  readonly stuck: readonly string[];
}

/**
 * The scheduler binds one pod after the other, and spread and affinity hold at the moment of
 * each. So a plan is right when there is an order in which every pod may go where it is meant:
 * this looks for one, always taking the pod that unbalances least. If there is none to be found
 * this way, those of a `hint` go first to the nodes that are there, in its order.
 */
export function orderOfArrival(
  snapshot: Snapshot,
  places: readonly Place[],
  hint: readonly Pod[] = [],
): Sequence {
  const first = sequenceOf(snapshot, places, new Map());
  for (const heed of [heedAll, heedOne]) {
    const urgency: Urgency = new Map();
    let last = first;
    for (let attempt = 1; last.stuck.length > 0 && attempt < mostAttempts; attempt++) {
      heed(last.stuck, urgency);
      last = sequenceOf(snapshot, places, urgency);
    }
    if (last.stuck.length === 0) return last;
  }
  const hinted = sequenceOf(snapshot, places, new Map(), hint);
  return hinted.stuck.length === 0 ? hinted : first;
}

/** An order that any attempt finds is an order. */
const mostAttempts = 16;

/** By kind of arrival; the higher, the sooner. */
type Urgency = Map<string, number>;

/** Whoever had no way in once the others were there comes before them in the next attempt. */
function heedAll(stuck: readonly string[], urgency: Urgency): void {
  for (const kind of stuck) urgency.set(kind, (urgency.get(kind) ?? 0) + 1);
}

/** Some are stuck only because others are: the one not heeded for longest comes before all. */
function heedOne(stuck: readonly string[], urgency: Urgency): void {
  const [longest] = [...stuck].sort((a, b) => (urgency.get(a) ?? 0) - (urgency.get(b) ?? 0));
  if (longest !== undefined) urgency.set(longest, Math.max(0, ...urgency.values()) + 1);
}

function sequenceOf(
  snapshot: Snapshot,
  places: readonly Place[],
  urgency: ReadonlyMap<string, number>,
  hint: readonly Pod[] = [],
): Sequence {
  const { arrivals, watches } = arrivalsOf(snapshot, places);
  const present = places.flatMap((place) => place.residents.map((pod) => ({ pod, place })));
  const residents = present.length;
  const scene: Scene = { snapshot, places, watches, present };
  followHint(hint, arrivals, scene);
  const waiting = new Set(arrivals.filter(({ left }) => left.length > 0));
  while (waiting.size > 0) {
    const possible = [...waiting].filter((one) => faultOf(one, scene) === undefined);
    const next = gentlest(soonest(possible), scene, urgency);
    if (next === undefined) break;
    // Whoever is counted by nobody may bring all its like along.
    do arrive(next, scene);
    while (next.left.length > 0 && harmOf(next, scene) === 0 && faultOf(next, scene) === undefined);
    if (next.left.length === 0) waiting.delete(next);
  }
  const stuck = [...waiting].map(
    (one) => `pod ${one.pod.name} on ${one.place.name}: ${faultOf(one, scene)}`,
  );
  return {
    order: present.slice(residents),
    faults: [...stuck, ...arrivals.flatMap(opennessFaults)],
    stuck: [...new Set([...waiting].map(({ kind }) => kind))],
  };
}

/** Lets those of the hint that go to nodes that are there come in its order, if they may. */
function followHint(hint: readonly Pod[], arrivals: readonly Arrival[], scene: Scene): void {
  const present = arrivals.filter(({ place }) => place.isThere);
  const arrivalOf = new Map(present.flatMap((one) => one.left.map((pod) => [pod, one] as const)));
  for (const pod of hint) {
    const arrival = arrivalOf.get(pod);
    if (arrival !== undefined && faultOf(arrival, scene) === undefined) arrive(arrival, scene);
  }
}

/**
 * Nobody keeps the scheduler from using nodes that are there while others are on their way. Pods
 * with wishes need not hurry: the plan may have hoped for nodes that they would like better.
 */
function soonest(possible: readonly Arrival[]): readonly Arrival[] {
  const now = possible.filter(({ place }) => place.isThere);
  return now.some(({ pod }) => !hasWishes(pod)) ? now : possible;
}

function hasWishes({ spread, ...pod }: Pod): boolean {
  const wishes = [pod.nodePreferences, pod.preferredAffinity, pod.preferredAntiAffinity];
  return (
    wishes.some((list) => list !== undefined) || spread?.some(({ isHard }) => !isHard) === true
  );
}

function arrive(arrival: Arrival, scene: Scene): void {
  const pod = arrival.left.shift();
  if (pod === undefined) return;
  scene.present.push({ pod, place: arrival.place });
  for (const watch of scene.watches) count(watch, pod, arrival.place);
}

function arrivalsOf(
  snapshot: Snapshot,
  places: readonly Place[],
): { readonly arrivals: readonly Arrival[]; readonly watches: readonly SpreadWatch[] } {
  const watches = new Map<string, SpreadWatch>();
  const arrivals = new Map<string, Arrival>();
  const reachable = reachOf(snapshot);
  const watchTextOf = (pod: Pod, constraint: SpreadConstraint): string => {
    const reach = reachable(pod, constraint.topologyKey);
    const { namespace, nodeAlternatives, tolerations } = pod;
    const keys = hardConstraints(pod).map(({ topologyKey }) => topologyKey);
    const text = textOf([namespace, constraint, keys, nodeAlternatives, tolerations, reach]);
    if (!watches.has(text)) watches.set(text, watchOf(pod, constraint, { reach, places }));
    return text;
  };
  for (const place of places) {
    for (const pod of place.newcomers) {
      const watched = hardConstraints(pod).map((constraint) => watchTextOf(pod, constraint));
      const { namespace, labels, affinity, isTerminating, nodeAlternatives, tolerations } = pod;
      const rules = [affinity, hardConstraints(pod), nodeAlternatives, tolerations];
      const kind = textOf([namespace, ...rules]);
      const text = `${place.name} ${kind} ${textOf([labels, isTerminating, watched])}`;
      const own = watched.map((one) => watches.get(one)).filter((watch) => watch !== undefined);
      const known = arrivals.get(text);
      if (known === undefined) arrivals.set(text, { pod, place, watches: own, left: [pod], kind });
      else known.left.push(pod);
    }
  }
  return { arrivals: [...arrivals.values()], watches: [...watches.values()] };
}

function faultOf({ pod, place, watches }: Arrival, scene: Scene): string | undefined {
  for (const watch of watches) {
    const fault = skewFault(watch, pod, place);
    if (fault !== undefined) return fault;
  }
  return companyFault(pod, place, scene);
}

/** The pods it must be with, or else it is the first of its kind and waits for nobody. */
function companyFault(pod: Pod, place: Place, scene: Scene): string | undefined {
  const terms = pod.affinity ?? [];
  if (terms.length === 0) return undefined;
  const isCompany = (other: Pod): boolean =>
    terms.every((term) => isMeant(term, other, scene.snapshot.namespaces));
  const company = scene.present.filter((one) => isCompany(one.pod));
  const lacking = terms.find(({ topologyKey }) => valuesAt(place, topologyKey).size === 0);
  if (lacking !== undefined)
    return `it must be near others by ${lacking.topologyKey}, which the node lacks`;
  const lonely = terms.find(
    ({ topologyKey }) => !company.some((one) => isSurelyTogether(one.place, place, topologyKey)),
  );
  if (lonely === undefined) return undefined;
  // Company on nodes that have none of the labels is known to nobody.
  const isKnownOf = company.some((one) =>
    terms.some(
      ({ topologyKey }) => one.place.isComing || valuesAt(one.place, topologyKey).size > 0,
    ),
  );
  if (!isKnownOf && isCompany(pod)) return undefined;
  return `the pods that it must be with are not surely in its ${lonely.topologyKey}`;
}

function isSurelyTogether(a: Place, b: Place, key: string): boolean {
  if (a === b) return true;
  const [value, ...others] = new Set([...valuesAt(a, key), ...valuesAt(b, key)]);
  return value !== undefined && others.length === 0 && valuesAt(a, key).size > 0;
}

/** Of those that may come now, an urgent one, or else the one that leaves the counts most even. */
function gentlest(
  candidates: readonly Arrival[],
  scene: Scene,
  urgency: ReadonlyMap<string, number>,
): Arrival | undefined {
  const [first] = candidates
    .map((arrival) => ({
      arrival,
      harm: harmOf(arrival, scene),
      urgency: urgency.get(arrival.kind) ?? 0,
    }))
    .sort(
      (a, b) =>
        b.urgency - a.urgency ||
        a.harm - b.harm ||
        b.arrival.watches.length - a.arrival.watches.length,
    );
  return first?.arrival;
}

function harmOf({ pod, place }: Arrival, { watches }: Scene): number {
  const harms = watches.map((watch) => {
    const domain = watch.domainOf(place);
    if (domain === undefined || !watch.matches(pod)) return 0;
    return ((watch.counts.get(domain) ?? 0) + 1 - fewest(watch)) / watch.constraint.maxSkew;
  });
  return Math.max(0, ...harms);
}

/** A new node that holds a spread pod must not leave the domain to chance. */
function opennessFaults({ pod, place }: Arrival): readonly string[] {
  return hardConstraints(pod)
    .filter(({ topologyKey }) => valuesAt(place, topologyKey).size > 1)
    .map(
      ({ topologyKey }) =>
        `${place.name} leaves ${topologyKey} open, over which pod ${pod.name} is spread`,
    );
}
