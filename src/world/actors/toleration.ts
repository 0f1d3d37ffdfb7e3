import type { TaintObject, TolerationObject } from '../../api/kubernetes/core.ts';

/** Whether this toleration covers the taint, as kube-scheduler and the taint manager judge it. */
export function covers(toleration: TolerationObject, taint: TaintObject): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  const operator = toleration.operator ?? 'Equal';
  if (!toleration.key && operator !== 'Exists') return false;
  if (operator === 'Exists') return true;
  const wanted = toleration.value ?? '';
  const actual = taint.value ?? '';
  if (operator === 'Equal') return wanted === actual;
  if (!isInteger(wanted) || !isInteger(actual)) return false;
  return operator === 'Gt' ? Number(actual) > Number(wanted) : Number(actual) < Number(wanted);
}

export function isTolerated(
  taint: TaintObject,
  tolerations: readonly TolerationObject[] | undefined,
): boolean {
  return (tolerations ?? []).some((toleration) => covers(toleration, taint));
}

/** The first taint with one of the effects that no toleration covers. */
export function firstUntolerated(
  taints: readonly TaintObject[] | undefined,
  tolerations: readonly TolerationObject[] | undefined,
  effects: readonly TaintObject['effect'][],
): TaintObject | undefined {
  return (taints ?? []).find(
    (taint) => effects.includes(taint.effect) && !isTolerated(taint, tolerations),
  );
}

function isInteger(text: string): boolean {
  return /^-?\d+$/.test(text);
}
