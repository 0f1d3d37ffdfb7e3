import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import { type Pod, type Taint, tolerates } from '../../src/core/cluster/pod.ts';
import type { Node, Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { NewNode, Plan } from '../../src/core/scheduling/plan.ts';
import { meets, meetsAfterLaunch } from './label-rules.ts';

/**
 * Judges a plan slowly and by the plainest reading of the rules, with nothing of the engine but
 * its value types. Returns one sentence per fault; none means that the plan is sound.
 */
export function validatePlan(
  snapshot: Snapshot,
  pods: readonly Pod[],
  plan: Plan,
): readonly string[] {
  return [
    ...everyPodOnce(pods, plan),
    ...placementFaults(snapshot, plan),
    ...plan.newNodes.flatMap((node, index) => newNodeFaults(snapshot, node, `new node ${index}`)),
    ...limitFaults(snapshot, plan),
    ...refusalFaults(plan),
  ];
}

function everyPodOnce(pods: readonly Pod[], plan: Plan): readonly string[] {
  const places = new Map<string, number>();
  const seen = [
    ...plan.placements.map(({ pod }) => pod),
    ...plan.newNodes.flatMap((node) => node.pods),
    ...plan.unplaced.map(({ pod }) => pod),
  ];
  for (const pod of seen) places.set(pod.uid, (places.get(pod.uid) ?? 0) + 1);
  const known = new Set(pods.map((pod) => pod.uid));
  return [
    ...pods
      .filter((pod) => places.get(pod.uid) !== 1)
      .map((pod) => `pod ${pod.name} has ${places.get(pod.uid) ?? 0} answers`),
    ...[...places.keys()].filter((uid) => !known.has(uid)).map((uid) => `pod ${uid} was not asked`),
  ];
}

function placementFaults(snapshot: Snapshot, plan: Plan): readonly string[] {
  const faults: string[] = [];
  for (const node of snapshot.nodes) {
    const placed = plan.placements.filter((p) => p.nodeName === node.name).map((p) => p.pod);
    if (placed.length === 0) continue;
    if (node.isLeaving) faults.push(`node ${node.name} is leaving and got pods`);
    const daemons = snapshot.daemons.filter((daemon) => isStillToCome(daemon, node));
    faults.push(...overfull(placed, [...node.pods, ...daemons], node));
    for (const pod of placed) {
      if (node.stage === 'ordered' && node.reservedFor.includes(pod.uid)) continue;
      if (!toleratesAll(pod, node.taints)) faults.push(`pod ${pod.name} on tainted ${node.name}`);
      if (!pod.nodeAlternatives.some((wanted) => meets(node.labels, wanted)))
        faults.push(`pod ${pod.name} does not want the labels of ${node.name}`);
    }
  }
  const names = new Set(snapshot.nodes.map((node) => node.name));
  for (const { nodeName } of plan.placements)
    if (!names.has(nodeName)) faults.push(`node ${nodeName} does not exist`);
  return faults;
}

function isStillToCome(daemon: Pod, node: Node): boolean {
  const runs = node.pods.some((pod) => pod.isDaemon && pod.owner?.name === daemon.owner?.name);
  if (runs || !toleratesAll(daemon, node.taints)) return false;
  return daemon.nodeAlternatives.some((wanted) => meets(node.labels, wanted));
}

function newNodeFaults(snapshot: Snapshot, node: NewNode, name: string): readonly string[] {
  const faults: string[] = [];
  if (node.pods.length === 0) faults.push(`${name} is for nobody`);
  if (node.instanceTypes.length === 0) faults.push(`${name} names no type`);
  if (node.pool.notReady !== undefined) faults.push(`${name} is of a pool that is not ready`);
  for (const pod of node.pods) {
    if (!toleratesAll(pod, node.pool.taints)) faults.push(`${name} repels pod ${pod.name}`);
    if (pod.unsupported.length > 0 || pod.invalid !== undefined)
      faults.push(`${name} is for pod ${pod.name}, which cannot be placed`);
  }
  for (const type of node.instanceTypes) faults.push(...typeFaults(snapshot, node, type, name));
  return [...faults, ...cheapestFaults(node, name), ...minValueFaults(node, name)];
}

/** Whatever of its types and offerings the cloud picks, every pod must be able to run there. */
function typeFaults(
  snapshot: Snapshot,
  node: NewNode,
  type: InstanceType,
  name: string,
): readonly string[] {
  const faults: string[] = [];
  const where = `${name} as ${type.name}`;
  const offerings = offeringsOf(node, type);
  if (offerings.length === 0) faults.push(`${where} cannot be bought`);
  const daemons = snapshot.daemons.filter(
    (daemon) =>
      toleratesAll(daemon, node.pool.taints) &&
      daemon.nodeAlternatives.some((wanted) =>
        offerings.some((offering) => meetsAfterLaunch(node, type, offering, wanted)),
      ),
  );
  faults.push(...overfull(node.pods, daemons, { ...type, name: where }));
  for (const pod of node.pods) {
    const isAtHome = offerings.every((offering) =>
      pod.nodeAlternatives.some((wanted) => meetsAfterLaunch(node, type, offering, wanted)),
    );
    if (!isAtHome) faults.push(`${where} has labels that pod ${pod.name} does not want`);
  }
  return faults;
}

function offeringsOf(node: NewNode, type: InstanceType): readonly Offering[] {
  return type.offerings.filter(
    (offering) => offering.isAvailable && meetsAfterLaunch(node, type, offering, node.requirements),
  );
}

function cheapestFaults(node: NewNode, name: string): readonly string[] {
  const prices = node.instanceTypes.map((type) =>
    Math.min(...offeringsOf(node, type).map((offering) => offering.priceUsdPerHour)),
  );
  const faults: string[] = [];
  const { instanceType, zone, capacityType, priceUsdPerHour } = node.cheapest;
  if (prices.some((price, index) => index > 0 && price < (prices[index - 1] ?? 0)))
    faults.push(`${name} does not list its types cheapest first`);
  if (Math.min(...prices) !== priceUsdPerHour) faults.push(`${name} has a cheaper purchase`);
  const planned = node.instanceTypes.find((type) => type.name === instanceType);
  const isReal = (planned === undefined ? [] : offeringsOf(node, planned)).some(
    (offering) =>
      offering.zone === zone &&
      offering.capacityType === capacityType &&
      offering.priceUsdPerHour === priceUsdPerHour,
  );
  if (!isReal) faults.push(`${name} counts on a purchase that does not exist`);
  return faults;
}

function minValueFaults(node: NewNode, name: string): readonly string[] {
  return [...(node.pool.minValues ?? [])].flatMap(([key, least]) => {
    const values = new Set(
      node.instanceTypes.flatMap((type) => {
        const set = type.requirements.get(key);
        return set?.kind === 'only' ? [...set.values] : [];
      }),
    );
    return values.size < least ? [`${name} has too few values of ${key}`] : [];
  });
}

/** Even if the cloud picks the largest type of every order, no limit may be passed. */
function limitFaults(snapshot: Snapshot, plan: Plan): readonly string[] {
  return snapshot.pools.flatMap((pool) =>
    Object.entries(pool.limits).flatMap(([resource, limit]) => {
      const orders = plan.newNodes.filter((node) => node.pool.name === pool.name);
      const used = snapshot.nodes
        .filter((node) => node.poolName === pool.name && !node.isLeaving)
        .map((node) => (resource === 'nodes' ? 1 : (node.capacity[resource] ?? 0)));
      const added = orders.map((order) => largestOf(order, resource));
      const total = [...used, ...added].reduce((sum, amount) => sum + amount, 0);
      const isWorse = added.some((amount) => amount > 0);
      return isWorse && total > limit ? [`pool ${pool.name} passes its limit ${resource}`] : [];
    }),
  );
}

function largestOf(order: NewNode, resource: string): number {
  if (resource === 'nodes') return 1;
  return Math.max(...order.instanceTypes.map((type) => type.capacity[resource] ?? 0));
}

function refusalFaults(plan: Plan): readonly string[] {
  return plan.unplaced
    .filter(({ refusal }) => refusal.sentence.length < 20)
    .map(({ pod }) => `pod ${pod.name} is refused without a reason`);
}

/** What newcomers ask for must fit beside the others; what they do not ask for is not their fault. */
function overfull(
  newcomers: readonly Pod[],
  others: readonly Pod[],
  place: { readonly name: string; readonly allocatable: Readonly<Record<string, number>> },
): readonly string[] {
  const faults: string[] = [];
  const names = new Set(newcomers.flatMap((pod) => Object.keys(pod.requests)));
  const sum = (pods: readonly Pod[], name: string): number =>
    pods.reduce((total, pod) => total + (pod.requests[name] ?? 0), 0);
  for (const name of [...names].sort()) {
    const asked = sum(newcomers, name);
    if (asked > 0 && asked + sum(others, name) > (place.allocatable[name] ?? 0))
      faults.push(`${place.name} is over its ${name}`);
  }
  const ports = [...newcomers, ...others].flatMap((pod) =>
    pod.hostPorts.map((port) => `${port.protocol}/${port.port}`),
  );
  if (new Set(ports).size < ports.length) faults.push(`${place.name} has a host port twice`);
  return faults;
}

function toleratesAll(pod: Pod, taints: Pool['taints']): boolean {
  return taints.every(
    (taint: Taint) => taint.effect === 'PreferNoSchedule' || tolerates(pod.tolerations, taint),
  );
}
