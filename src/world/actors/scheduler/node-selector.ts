import type {
  NodeObject,
  NodeSelectorExpression,
  NodeSelectorTerm,
  PodObject,
} from '../../../api/kubernetes/core.ts';
import { meets } from '../../../core/cluster/label-selector.ts';

/** Whether the node satisfies the pod's node selector and one of its required affinity terms. */
export function matchesNode(pod: PodObject, node: NodeObject): boolean {
  const labels = node.metadata.labels ?? {};
  for (const [key, value] of Object.entries(pod.spec.nodeSelector ?? {})) {
    if (labels[key] !== value) return false;
  }
  const required = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  return required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** An empty term matches nothing, as in Kubernetes. */
export function matchesTerm(term: NodeSelectorTerm, node: NodeObject): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  return (
    expressions.every((expression) => holds(expression, labels[expression.key])) &&
    fields.every((field) =>
      holds(field, field.key === 'metadata.name' ? node.metadata.name : undefined),
    )
  );
}

function holds(expression: NodeSelectorExpression, value: string | undefined): boolean {
  const values = expression.values ?? [];
  switch (expression.operator) {
    case 'Gt':
      return compareIntegers(value, values, (actual, bound) => actual > bound);
    case 'Lt':
      return compareIntegers(value, values, (actual, bound) => actual < bound);
    default:
      return meets({ operator: expression.operator, values }, value);
  }
}

function compareIntegers(
  value: string | undefined,
  bounds: readonly string[],
  isWithin: (actual: bigint, bound: bigint) => boolean,
): boolean {
  const [bound] = bounds;
  if (!isInteger(value) || !isInteger(bound) || bounds.length !== 1) return false;
  return isWithin(BigInt(value), BigInt(bound));
}

function isInteger(text: string | undefined): text is string {
  return text !== undefined && /^-?\d+$/.test(text);
}
