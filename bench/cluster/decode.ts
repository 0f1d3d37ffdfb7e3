import { decodeNode } from '../../src/api/decode/node.ts';
import { decodeDaemon, decodePod } from '../../src/api/decode/pod.ts';
import { PodMemory } from '../../src/api/decode/pod-memory.ts';
import { decodePool } from '../../src/api/decode/pool.ts';
import type { VolumeLookups } from '../../src/api/decode/volumes.ts';
import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import type { NodeObject } from '../../src/api/kubernetes/core.ts';
import { keyOf } from '../../src/api/resource.ts';
import type { InstanceType } from '../../src/core/catalog/instance-type.ts';
import { isProvisionable, isReschedulable, type Pod } from '../../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { Scenario } from './scenario.ts';

/** A question to the engine: the cluster, and the pods that wait for a place in it. */
export interface Question {
  readonly snapshot: Snapshot;
  readonly pods: readonly Pod[];
}

/** Decodes every object of the scenario, as a controller that has just started would. */
export function questionOf(scenario: Scenario, instanceTypes: readonly InstanceType[]): Question {
  const volumes = volumeLookups(scenario);
  const memory = new PodMemory();
  const decoded = scenario.pods.map((pod) => decodePod(pod, { volumes, memory }));
  const nodes = nodesOf(scenario, decoded, instanceTypes);
  const snapshot: Snapshot = {
    atMs: Date.parse('2026-01-02T00:00:00Z'),
    nodes,
    pools: scenario.pools.map((pool) => decodePool(pool, { instanceTypes })),
    daemons: scenario.daemonSets.map((daemonSet) => decodeDaemon(daemonSet)),
    namespaces: new Map(
      scenario.namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]),
    ),
  };
  const displaced = nodes
    .filter((node) => node.isLeaving)
    .flatMap((node) => node.pods.filter(isReschedulable));
  return { snapshot, pods: [...decoded.filter(isProvisionable), ...displaced] };
}

function volumeLookups(scenario: Scenario): VolumeLookups {
  const claims = new Map(scenario.volumeClaims.map((claim) => [keyOf(claim), claim]));
  const volumes = new Map(scenario.volumes.map((volume) => [keyOf(volume), volume]));
  const classes = new Map(scenario.storageClasses.map((one) => [keyOf(one), one]));
  return {
    claim: (namespace, name) => claims.get(`${namespace}/${name}`),
    volume: (name) => volumes.get(name),
    storageClass: (name) => classes.get(name),
  };
}

function nodesOf(
  scenario: Scenario,
  pods: readonly Pod[],
  instanceTypes: readonly InstanceType[],
): readonly Node[] {
  const bound = groupByNode(pods);
  const claimOf = claimsByNode(scenario);
  const csiNodes = new Map(scenario.csiNodes.map((one) => [one.metadata.name, one]));
  const taken = new Set<NodeClaim>();
  const nodes = scenario.nodes.map((node) => {
    const claim = claimOf(node);
    if (claim !== undefined) taken.add(claim);
    const { name } = node.metadata;
    const csiNode = csiNodes.get(name);
    return decodeNode({ node, claim, pods: bound.get(name) ?? [], instanceTypes, csiNode });
  });
  const unjoined = scenario.claims
    .filter((claim) => !taken.has(claim))
    .map((claim) => decodeNode({ claim, pods: [], instanceTypes }));
  return [...nodes, ...unjoined].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function groupByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
  const bound = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (pod.nodeName === undefined) continue;
    const list = bound.get(pod.nodeName);
    if (list === undefined) bound.set(pod.nodeName, [pod]);
    else list.push(pod);
  }
  return bound;
}

/** A claim finds its node by provider id, by the node's name, or by a name that both share. */
function claimsByNode(scenario: Scenario): (node: NodeObject) => NodeClaim | undefined {
  const byKey = new Map<string, NodeClaim>();
  for (const claim of scenario.claims) {
    const { providerID, nodeName } = claim.status ?? {};
    for (const key of [claim.metadata.name, nodeName, providerID])
      if (key !== undefined && key !== '') byKey.set(key, claim);
  }
  return (node) => byKey.get(node.spec?.providerID ?? '') ?? byKey.get(node.metadata.name);
}
