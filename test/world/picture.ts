import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import type { NodeObject, PodObject } from '../../src/api/kubernetes/core.ts';
import type { KubeObject } from '../../src/api/resource.ts';
import type { Decision } from '../../src/core/explain/decision.ts';

export interface Seen {
  readonly claims: readonly NodeClaim[];
  readonly nodes: readonly NodeObject[];
  readonly pods: readonly PodObject[];
  readonly decisions: readonly Decision[];
  readonly errors: readonly string[];
}

/** What a person would want to see first when a story does not go on. */
export function pictureOf({ claims, nodes, pods, decisions, errors }: Seen): string {
  return [
    ...claims.slice(0, 20).map(claimLine),
    ...nodes.slice(0, 20).map(nodeLine),
    `pods ${JSON.stringify([...phasesOf(pods)])}`,
    ...decisions.slice(-30).map(({ code, sentence }) => `${code}: ${sentence}`),
    ...errors.slice(-10),
  ].join('\n');
}

function claimLine(claim: NodeClaim): string {
  const conditions = (claim.status?.conditions ?? []).map(
    ({ type, status, reason = '' }) => `${type}=${status}(${reason})`,
  );
  return `claim ${nameOf(claim)} ${conditions.join(' ')}`;
}

function nodeLine(node: NodeObject): string {
  const taints = (node.spec?.taints ?? []).map(({ key }) => key);
  return `node ${nameOf(node)} taints ${taints.join()}`;
}

function phasesOf(pods: readonly PodObject[]): ReadonlyMap<string, number> {
  const phases = new Map<string, number>();
  for (const pod of pods) {
    const phase = `${pod.status?.phase ?? 'none'}${ending(pod)}`;
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
  }
  return phases;
}

function nameOf(object: KubeObject): string {
  return `${object.metadata.name}${ending(object)}`;
}

function ending({ metadata }: KubeObject): string {
  return metadata.deletionTimestamp === undefined ? '' : ' (deleting)';
}
