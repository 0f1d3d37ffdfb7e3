import type { LabelSelector } from '../../api/kubernetes/core.ts';

export type Labels = Readonly<Record<string, string>>;

/** Whether the labels satisfy the selector. An empty selector takes all, a missing one nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  if (selector === undefined) return false;
  const own = labels ?? {};
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    if (own[key] !== value) return false;
  }
  return (selector.matchExpressions ?? []).every((expression) => {
    const value = own[expression.key];
    switch (expression.operator) {
      case 'In':
        return value !== undefined && (expression.values ?? []).includes(value);
      case 'NotIn':
        return value === undefined || !(expression.values ?? []).includes(value);
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}
