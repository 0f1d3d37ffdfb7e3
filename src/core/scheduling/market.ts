import type { Offering } from '../catalog/instance-type.ts';
import { firstRepellingTaint, type Pod } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import { covers } from '../quantity/columns.ts';
import { combine, firstConflict, type Requirements } from '../requirements/requirements.ts';
import { admittedAlternatives, firstUnmetByType, offeringMeets } from './admission.ts';
import { chargeOf } from './limits.ts';
import { openKeys, type Shape } from './shape.ts';

/** One way to buy one machine for one pool, and the label groups of pods that it could hold. */
export interface Purchase {
  readonly shape: Shape;
  readonly offering: Offering;
  readonly priceUsdPerHour: number;
  /** One byte per label group: 1 where its pods may be on the machine. */
  readonly groups: Uint8Array;
  /** Pool and pod together, by label group: the alternatives that this purchase meets. */
  readonly alternatives: readonly (readonly Requirements[])[];
  /** By label group: whether its pods ask for labels that the purchase leaves open. */
  readonly asksOpenLabels: readonly boolean[];
}

/**
 * Everything worth buying for these label groups, cheapest first. Left out is what something no
 * dearer from the same pool equals or beats in every respect.
 */
export function marketOf(shapes: readonly Shape[], groups: readonly Pod[]): readonly Purchase[] {
  const byPool = new Map<Pool, Shape[]>();
  for (const shape of shapes) {
    const known = byPool.get(shape.pool);
    if (known === undefined) byPool.set(shape.pool, [shape]);
    else known.push(shape);
  }
  const purchases = [...byPool].flatMap(([pool, poolShapes]) =>
    undominated(purchasesOf(pool, poolShapes, groups).sort(cheapestFirst)),
  );
  return purchases.sort(cheapestFirst);
}

/** The requirements with one more group's pods, or undefined where the two exclude each other. */
export function joined(
  purchase: Purchase,
  requirements: Requirements,
  group: number,
): Requirements | undefined {
  const fitting = purchase.alternatives[group]?.find(
    (wanted) => firstConflict(requirements, wanted) === undefined,
  );
  return fitting === undefined ? undefined : combine(requirements, fitting);
}

function purchasesOf(pool: Pool, shapes: readonly Shape[], groups: readonly Pod[]): Purchase[] {
  const isOpenKey = openKeys(pool);
  const admitted = groups.map((pod) =>
    firstRepellingTaint(pod.tolerations, pool.taints) === undefined
      ? admittedAlternatives(pool, pod)
      : [],
  );
  const asksOpenLabels = groups.map((pod) =>
    pod.nodeAlternatives.some((wanted) => [...wanted.keys()].some(isOpenKey)),
  );
  return shapes.flatMap((shape) => {
    const ofType = admitted.map((alternatives) =>
      alternatives.filter((wanted) => firstUnmetByType(pool, shape.type, wanted) === undefined),
    );
    return shape.type.offerings
      .filter((offering) => offering.isAvailable && offeringMeets(offering, pool.requirements))
      .map((offering) => purchaseOf({ shape, offering, ofType, asksOpenLabels }))
      .filter((purchase) => purchase.groups.includes(1));
  });
}

function purchaseOf(parts: {
  readonly shape: Shape;
  readonly offering: Offering;
  readonly ofType: readonly (readonly Requirements[])[];
  readonly asksOpenLabels: readonly boolean[];
}): Purchase {
  const { shape, offering, ofType, asksOpenLabels } = parts;
  const alternatives = ofType.map((wishes) =>
    wishes.filter((wanted) => offeringMeets(offering, wanted)),
  );
  const groups = Uint8Array.from(alternatives, (wishes) => (wishes.length > 0 ? 1 : 0));
  const { priceUsdPerHour } = offering;
  return { shape, offering, priceUsdPerHour, groups, alternatives, asksOpenLabels };
}

function undominated(cheapestFirstList: readonly Purchase[]): readonly Purchase[] {
  const kept: Purchase[] = [];
  for (const purchase of cheapestFirstList)
    if (!kept.some((other) => beats(other, purchase))) kept.push(purchase);
  return kept;
}

/** The two are of one pool and `a` is no dearer. */
function beats(a: Purchase, b: Purchase): boolean {
  if (!covers(a.shape.free, b.shape.free)) return false;
  for (let group = 0; group < a.groups.length; group++)
    if ((a.groups[group] ?? 0) < (b.groups[group] ?? 0)) return false;
  const { limits } = a.shape.pool;
  return Object.keys(limits).every(
    (name) => chargeOf(a.shape.type, name) <= chargeOf(b.shape.type, name),
  );
}

function cheapestFirst(a: Purchase, b: Purchase): number {
  if (a.priceUsdPerHour !== b.priceUsdPerHour) return a.priceUsdPerHour - b.priceUsdPerHour;
  const left = nameOf(a);
  const right = nameOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function nameOf({ shape, offering }: Purchase): string {
  return [shape.pool.name, shape.type.name, offering.zone, offering.capacityType].join(' ');
}
