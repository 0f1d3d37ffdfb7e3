import type { Pod } from '../../cluster/pod.ts';
import type { Slot } from '../../cluster/workspace.ts';
import type { Vector } from '../../quantity/columns.ts';
import {
  labelsSurelyMeet,
  type Requirements,
  requirementsKey,
} from '../../requirements/requirements.ts';
import { repels } from '../market/wish.ts';

/** What pods ask of a node that is there. */
export interface SlotQuestion {
  readonly requirements: Requirements;
  readonly pod: Pick<Pod, 'tolerations'>;
  /** Taints that only discourage keep the pod away too. */
  readonly isPatient: boolean;
}

/**
 * The nodes that would do for pods of a batch, in the order of the workspace; the same lists for
 * whoever asks the same. Nodes that are too full for every pod of the batch are left out at once:
 * in a full cluster that is nearly all of them.
 */
export class SlotLists {
  readonly #slots: readonly Slot[];
  readonly #lists = new Map<string, readonly Slot[]>();
  readonly #present = new Map<readonly Slot[], readonly Slot[]>();

  /** `needs` are those of all pods of the batch. */
  constructor(slots: readonly Slot[], needs: readonly Vector[]) {
    const least = leastOf(needs);
    this.#slots = slots.filter(({ free }) =>
      least.every((amount, at) => amount <= (free[at] ?? 0)),
    );
  }

  of({ requirements, pod, isPatient }: SlotQuestion): readonly Slot[] {
    if (this.#slots.length === 0) return this.#slots;
    const tolerations = pod.tolerations.length === 0 ? '' : JSON.stringify(pod.tolerations);
    const text = `${requirementsKey(requirements)} ${isPatient} ${tolerations}`;
    const known = this.#lists.get(text);
    if (known !== undefined) return known;
    const found = this.#slots.filter(
      ({ labels, node, taints }) =>
        !repels(taints, pod, isPatient) && labelsSurelyMeet(labels, node?.openLabels, requirements),
    );
    this.#lists.set(text, found);
    return found;
  }

  /** Whether no node has room for anybody. */
  get areEmpty(): boolean {
    return this.#slots.length === 0;
  }

  /** Whether there are nodes to which pods can be bound now. */
  get hasPresent(): boolean {
    return this.#slots.some(isPresent);
  }

  /** Those of a list to which pods can be bound now; they come first in every list. */
  presentOf(slots: readonly Slot[]): readonly Slot[] {
    const known = this.#present.get(slots);
    if (known !== undefined) return known;
    const present = slots.filter(isPresent);
    this.#present.set(slots, present);
    return present;
  }
}

/** What every pod asks for at the least, by column. */
function leastOf(needs: readonly Vector[]): readonly number[] {
  const [first, ...others] = needs;
  const least = [...(first ?? [])];
  for (const need of others)
    for (const [column, amount] of least.entries())
      least[column] = Math.min(amount, need[column] ?? 0);
  // Of what somebody needs nothing, a node may even lack some.
  return least.map((amount) => (amount > 0 ? amount : -Infinity));
}

/** A node on order, or one that still starts, takes nobody before what else is bought is there. */
function isPresent({ node }: Slot): boolean {
  return node?.stage === 'initialized';
}
