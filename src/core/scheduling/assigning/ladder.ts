import type { NodePreference, Pod, PodTerm, SpreadConstraint } from '../../cluster/pod.ts';
import { combine, type Requirements } from '../../requirements/requirements.ts';

/** What a pod asks for at one stage of giving in. The first rung asks for everything it would like. */
export interface Rung {
  /** Any one suffices for the node: a node term, the preference still held, the volumes. */
  readonly alternatives: readonly Requirements[];
  readonly spread: readonly SpreadConstraint[];
  /** Required terms, which one pod must match all of, and preferred ones still held. */
  readonly affinity: readonly PodTerm[];
  readonly preferredAffinity: readonly PodTerm[];
  readonly antiAffinity: readonly PodTerm[];
  /** Taints that only discourage keep it away too. */
  readonly isPatient: boolean;
}

export type PreferencePolicy = 'Respect' | 'Ignore';

/**
 * What the pod asks for, from everything down to the bare rules. It gives in as the original
 * does: pod affinity, pod anti-affinity, node labels, spread, each the heaviest first, and last
 * of all its respect for taints that only discourage.
 */
export function ladderOf(
  pod: Pod,
  {
    policy,
    hasDiscouraging,
  }: { readonly policy: PreferencePolicy; readonly hasDiscouraging: boolean },
): readonly Rung[] {
  const isRespected = policy === 'Respect';
  const held = {
    affinity: heaviestFirst(isRespected ? pod.preferredAffinity : undefined),
    antiAffinity: heaviestFirst(isRespected ? pod.preferredAntiAffinity : undefined),
    labels: heaviestFirst(isRespected ? pod.nodePreferences : undefined),
    spread: (pod.spread ?? []).filter(({ isHard }) => isHard || isRespected),
    isPatient: hasDiscouraging,
  };
  const rungs = [rungOf(pod, held)];
  while (giveIn(held)) rungs.push(rungOf(pod, held));
  return rungs;
}

interface Held {
  readonly affinity: PodTerm[];
  readonly antiAffinity: PodTerm[];
  readonly labels: NodePreference[];
  readonly spread: SpreadConstraint[];
  isPatient: boolean;
}

/** Drops the next wish; false when only rules are left. */
function giveIn(held: Held): boolean {
  if (held.affinity.shift() !== undefined) return true;
  if (held.antiAffinity.shift() !== undefined) return true;
  if (held.labels.shift() !== undefined) return true;
  const soft = held.spread.findIndex(({ isHard }) => !isHard);
  if (soft >= 0) {
    // The original fills the gap with the last constraint, which decides what goes next.
    const last = held.spread.pop();
    if (last !== undefined && soft < held.spread.length) held.spread[soft] = last;
    return true;
  }
  const wasPatient = held.isPatient;
  held.isPatient = false;
  return wasPatient;
}

function rungOf(pod: Pod, held: Held): Rung {
  const [preference] = held.labels;
  const strict = pod.nodeAlternatives;
  const wanted =
    preference === undefined
      ? strict
      : strict.map((term) => combine(term, preference.requirements));
  return {
    alternatives: withVolumes(wanted, pod),
    spread: [...held.spread],
    affinity: pod.affinity ?? [],
    preferredAffinity: [...held.affinity],
    antiAffinity: [...(pod.antiAffinity ?? []), ...held.antiAffinity],
    isPatient: held.isPatient,
  };
}

/** What the pod wants of a node's labels, with what its volumes ask for. */
export function withVolumes(wanted: readonly Requirements[], pod: Pod): readonly Requirements[] {
  const volumes = pod.volumes?.alternatives.filter((one) => one.size > 0) ?? [];
  const isFree = volumes.length < (pod.volumes?.alternatives.length ?? 0);
  if (isFree || volumes.length === 0) return wanted;
  return wanted.flatMap((term) => volumes.map((volume) => combine(term, volume)));
}

function heaviestFirst<T extends { readonly weight: number }>(list: readonly T[] | undefined): T[] {
  return [...(list ?? [])].sort((a, b) => b.weight - a.weight);
}
