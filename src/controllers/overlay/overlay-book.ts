import { decodeOverlay } from '../../api/decode/overlay.ts';
import type { NodeOverlay } from '../../api/karpenter/node-overlay.ts';
import type { InstanceType } from '../../core/catalog/instance-type.ts';
import { applyOverlays, type OverlaidPool } from '../../core/catalog/overlay.ts';
import { isSameList, isSameValue } from '../cluster-state/same-value.ts';
import { overlayFaults } from './validation.ts';

/** Why an overlay is left out. */
export interface OverlayFault {
  readonly reason: 'RuntimeValidation' | 'Conflict';
  readonly message: string;
}

type TypesByPool = ReadonlyMap<string, readonly InstanceType[]>;

interface Applied {
  readonly overlays: readonly NodeOverlay[];
  readonly pools: readonly OverlaidPool[];
  readonly types: TypesByPool;
  readonly faults: ReadonlyMap<string, OverlayFault>;
}

const nothing: Applied = { overlays: [], pools: [], types: new Map(), faults: new Map() };

/** What the pools may launch under the overlays, worked out anew only when one of them changes. */
export class OverlayBook {
  readonly #overlays: () => readonly NodeOverlay[];
  #applied = nothing;

  /** `overlays` answers the same list until something changes. */
  constructor(overlays: () => readonly NodeOverlay[]) {
    this.#overlays = overlays;
  }

  /** The types of every pool, by its name; the same list as before where nothing changed. */
  apply(pools: readonly OverlaidPool[]): TypesByPool {
    const overlays = this.#overlays();
    const before = this.#applied;
    if (before.overlays === overlays && isSameList(before.pools, pools, isSamePool))
      return before.types;
    this.#applied = evaluate(overlays, pools);
    const types = new Map<string, readonly InstanceType[]>();
    for (const [name, list] of this.#applied.types)
      types.set(name, kept(before.types.get(name), list));
    this.#applied = { ...this.#applied, types };
    return types;
  }

  /** Why the overlay is left out; undefined where it counts. Told by the latest `apply`. */
  faultOf(name: string): OverlayFault | undefined {
    return this.#applied.faults.get(name);
  }
}

function evaluate(overlays: readonly NodeOverlay[], pools: readonly OverlaidPool[]): Applied {
  const faults = new Map<string, OverlayFault>();
  const sound = overlays.flatMap((object) => {
    const { overlay, invalid } = decodeOverlay(object);
    const messages = [...overlayFaults(object), ...invalid];
    if (messages.length === 0) return [overlay];
    faults.set(overlay.name, { reason: 'RuntimeValidation', message: messages.join('; ') });
    return [];
  });
  const { types, conflicts } = applyOverlays(pools, sound);
  for (const [name, rival] of conflicts) {
    const message = `NodeOverlay ${rival} of the same weight says something else of the same instance types`;
    faults.set(name, { reason: 'Conflict', message });
  }
  return { overlays, pools, types, faults };
}

function isSamePool(a: OverlaidPool, b: OverlaidPool): boolean {
  return (
    a.name === b.name && a.instanceTypes === b.instanceTypes && isSameValue(a.labels, b.labels)
  );
}

function kept(
  before: readonly InstanceType[] | undefined,
  now: readonly InstanceType[],
): readonly InstanceType[] {
  return before !== undefined && isSameValue(before, now) ? before : now;
}
