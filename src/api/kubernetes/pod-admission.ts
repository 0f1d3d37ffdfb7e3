import type { TolerationObject } from './core.ts';

/** Pods stay five minutes on a node that is lost, unless they say otherwise: admission sees to it. */
export function admittedTolerations(
  given: readonly TolerationObject[],
): readonly TolerationObject[] {
  const missing = lostNodeTaints.filter((key) => !given.some((one) => isFor(one, key)));
  const added = missing.map(
    (key): TolerationObject => ({
      key,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    }),
  );
  return [...given, ...added];
}

const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function isFor({ key = '', effect }: TolerationObject, taint: string): boolean {
  const isEveryEffect = effect === undefined || String(effect) === '';
  return (key === taint || key === '') && (isEveryEffect || effect === 'NoExecute');
}

/** The priorities that every cluster has, by PriorityClass. */
export const systemPriorities = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
} as const;
