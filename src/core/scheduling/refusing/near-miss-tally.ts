import type { Constraint, Funnel, FunnelStep } from '../../explain/reason.ts';
import { byStep } from './near-miss-order.ts';
import type { Obstacle } from './refusal-obstacle.ts';

/** Counts what each step removes. A type goes with the last of its offerings. */
export class Tally {
  readonly #of: Funnel['of'];
  readonly #steps = new Map<Constraint, Map<string, Step>>();
  #ids = 0;
  #things = 0;
  #offerings = 0;
  #passed = 0;

  constructor(of: Funnel['of']) {
    this.#of = of;
  }

  thing(first: Obstacle | undefined, times: number): void {
    this.#things += times;
    if (first === undefined) this.#passed += times;
    else this.stepOf(first).removed += times;
  }

  offering(first: Obstacle | undefined, times: number): void {
    this.#offerings += times;
    if (first !== undefined) this.stepOf(first).offerings += times;
  }

  /** The step that removed the last thing. */
  get last(): FunnelStep | undefined {
    if (this.#passed > 0) return undefined;
    return this.funnel().steps.findLast(({ removed }) => removed > 0);
  }

  funnel(): Omit<Funnel, 'nearest'> {
    const isSold = this.#of === 'instance types';
    let left = this.#things;
    let offeringsLeft = this.#offerings;
    const steps = [...this.#steps.values()]
      .flatMap((ofConstraint) => [...ofConstraint.values()])
      .filter(({ removed, offerings }) => removed > 0 || offerings > 0)
      .sort((a, b) => byStep(a.first, b.first))
      .map(({ first, removed, offerings }): FunnelStep => {
        left -= removed;
        offeringsLeft -= offerings;
        const { constraint, key } = first;
        return {
          constraint,
          ...(key === '' ? {} : { key }),
          removed,
          left,
          ...(isSold ? { offeringsLeft } : {}),
        };
      });
    const offerings = isSold ? { offerings: this.#offerings } : {};
    return { of: this.#of, considered: this.#things, ...offerings, steps };
  }

  stepOf(first: Obstacle): Step {
    const ofConstraint = this.#steps.get(first.constraint) ?? new Map<string, Step>();
    if (ofConstraint.size === 0) this.#steps.set(first.constraint, ofConstraint);
    const known = ofConstraint.get(first.key);
    if (known !== undefined) return known;
    this.#ids += 1;
    const step = { id: this.#ids, first, removed: 0, offerings: 0 };
    ofConstraint.set(first.key, step);
    return step;
  }
}

interface Step {
  /** From 1 on. */
  readonly id: number;
  readonly first: Obstacle;
  removed: number;
  offerings: number;
}
