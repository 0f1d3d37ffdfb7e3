import type { Taint } from '../../core/cluster/pod.ts';
import type { Node } from '../../core/cluster/snapshot.ts';
import type { NodeClaim } from '../karpenter/node-claim.ts';
import type { NodeObject, TaintObject } from '../kubernetes/core.ts';

/** Taints that Kubernetes or we put on young nodes and take off again, by key and effect. */
const passing: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready:NoSchedule',
  'node.kubernetes.io/not-ready:NoExecute',
  'node.kubernetes.io/unreachable:NoSchedule',
  'node.cloudprovider.kubernetes.io/uninitialized:NoSchedule',
  'karpenter.sh/unregistered:NoExecute',
]);

/** Whether the taint belongs to the start of a node and goes away by itself. */
export function isPassingTaint(taint: Pick<Taint, 'key' | 'effect'>): boolean {
  return passing.has(identity(taint)) || taint.key.startsWith('readiness.k8s.io/');
}

/** Whether two taints are the same to Kubernetes: key and effect decide, the value does not. */
export function isSameTaint(
  a: Pick<Taint, 'key' | 'effect'>,
  b: Pick<Taint, 'key' | 'effect'>,
): boolean {
  return identity(a) === identity(b);
}

/**
 * The taints that repel pods now or will once the node is ready. A node of ours that has not
 * registered will carry its claim's; until it is initialized the passing ones do not count.
 */
export function nodeTaints(
  node: NodeObject | undefined,
  claim: NodeClaim | undefined,
  stage: Node['stage'],
): readonly Taint[] {
  if (claim === undefined || stage === 'initialized') return ofNode(node).map(plain);
  if (stage === 'ordered' || stage === 'launched') return (claim.spec.taints ?? []).map(plain);
  const startup = claim.spec.startupTaints ?? [];
  return ofNode(node)
    .filter((taint) => !isPassingTaint(taint))
    .filter((taint) => !startup.some((own) => isSameTaint(own, taint)))
    .map(plain);
}

const cordoned: TaintObject = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** A cordoned node repels at once, though its taint is written a moment later. */
function ofNode(node: NodeObject | undefined): readonly TaintObject[] {
  const taints = node?.spec?.taints ?? [];
  const isMissing = !taints.some((taint) => isSameTaint(taint, cordoned));
  return node?.spec?.unschedulable === true && isMissing ? [...taints, cordoned] : taints;
}

function plain({ key, value, effect }: TaintObject): Taint {
  return { key, value, effect };
}

function identity(taint: Pick<Taint, 'key' | 'effect'>): string {
  return `${taint.key}:${taint.effect}`;
}
