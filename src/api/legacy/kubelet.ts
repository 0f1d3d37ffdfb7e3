import { inlineText } from '../value.ts';
import { nodeClassApi } from './node-class.ts';
import type { LooseKubelet } from './node-pool.ts';
import type { Revision } from './revision.ts';

/** A pool with kubelet settings to give away. */
export interface KubeletGiver extends LooseKubelet {
  readonly revision: Revision;
}

/**
 * Moves kubelet settings from pools to the class that they name. Where the class is not among the
 * documents, or the pools of a class disagree, the settings go into a question.
 */
export function settleKubelets(
  givers: readonly KubeletGiver[],
  classes: readonly Revision[],
): void {
  for (const name of new Set(givers.map(({ className = '' }) => className))) {
    const pools = givers.filter(({ className = '' }) => className === name);
    const target = classes.find((revision) => revision.at('metadata', 'name') === name);
    const wanted = new Set(pools.map(({ settings }) => canonical(settings)));
    const before = target?.at('spec', 'kubelet');
    if (before !== undefined) wanted.add(canonical(before));
    const isClear = target !== undefined && wanted.size === 1 && target.has('spec');
    for (const pool of pools) if (isClear) give(pool, target, name);
    for (const pool of pools) if (!isClear) ask(pool, name, target === undefined);
  }
}

function give(pool: KubeletGiver, target: Revision, name: string): void {
  const why = 'in v1 kubelet settings belong to the EC2NodeClass';
  const now = `every pool of EC2NodeClass ${name} gets them`;
  pool.revision.change({ why, now }, { kind: 'remove', at: pool.at });
  if (target.has('spec', 'kubelet')) return;
  const at = ['spec', 'kubelet'];
  target.change(
    { why: `${why}; they stood in a pool of this class`, now },
    { kind: 'set', at, value: pool.settings },
  );
}

function ask(pool: KubeletGiver, name: string, isMissing: boolean): void {
  const whom = name === '' ? `its ${nodeClassApi.kind}` : `${nodeClassApi.kind} ${name}`;
  const why = isMissing
    ? `in v1 kubelet settings belong to the EC2NodeClass, and ${whom} is not among these files`
    : `in v1 kubelet settings belong to the EC2NodeClass, and the pools of ${whom} disagree`;
  const settings = inlineText(pool.settings);
  pool.revision.change(
    { why, now: 'nodes start with the defaults of the kubelet' },
    { kind: 'remove', at: pool.at },
  );
  pool.revision.ask(
    ['spec', 'template', 'spec', 'nodeClassRef'],
    `should ${whom} have spec.kubelet ${settings}?`,
    { why, now: 'nodes start with the defaults of the kubelet until it is answered' },
  );
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
