import { add, fits, largest, noResources, type Resources } from '../../quantity/resources.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { has, only } from '../../requirements/value-set.ts';
import { finish } from '../../steps.ts';
import { isOfOffering, offeringMeets } from '../market/admission.ts';
import type { Shape, Stock } from '../market/stock.ts';
import { type Part, partOf } from '../market/stock-part.ts';
import { repels } from '../market/wish.ts';
import type { Party } from './party.ts';

/** Shapes of a stock. */
interface Choice {
  /** What the nodes are to have, which these shapes can. */
  readonly settled: Requirements;
  readonly shapes: readonly Shape[];
  /** By shape: 0 where it cannot after all. */
  readonly meeting?: Uint8Array;
}

/** The same gone through, with the most that any of them has for pods and daemons. */
interface Narrowed extends Choice {
  readonly most: Resources;
}

/** So many parties are asked about all shapes in vain, before these are narrowed down. */
const mostInVain = 16;
/** So many sizes of pods are compared with all shapes in one step. */
const sizesPerStep = 8;

/** Which nodes of one pool might be opened for one of the pods, were everything available. */
export class Reach {
  readonly #stock: Stock;
  readonly #parties: readonly Party[];
  readonly #known = new Map<string, boolean>();
  readonly #parts = new Map<Requirements, Part | undefined>();
  #served: readonly Requirements[] | undefined;
  #inVain = 0;

  constructor(stock: Stock, parties: readonly Party[]) {
    this.#stock = stock;
    this.#parties = parties.filter(({ sample }) => !repels(stock.pool.taints, sample, false));
  }

  /** Whether one of them might have this value of the label. */
  has(key: string, value: string): boolean {
    return this.#known.get(`${key} ${value}`) ?? finish(this.meeting(key, value));
  }

  /** The same in small steps; whoever asks afterwards finds the answer. */
  *meeting(key: string, value: string): Generator<void, boolean> {
    const text = `${key} ${value}`;
    const known = this.#known.get(text) ?? (yield* this.#finding(key, value));
    this.#known.set(text, known);
    return known;
  }

  *#finding(key: string, value: string): Generator<void, boolean> {
    const mayHave = (wanted: Requirements): boolean => {
      const set = wanted.get(key);
      return set === undefined || has(set, value);
    };
    if (yield* this.#askingFew(anyWith(this.#stock, key, value), mayHave)) return true;
    yield;
    // Hundreds of values must not ask every type about every pod again.
    if (!isOfTypes(this.#stock, key)) return (yield* this.#findingServed()).some(mayHave);
    const choice = choiceWith(this.#stock, key, value);
    for (const { wanted, requests } of this.#parties)
      for (const one of wanted)
        if (mayHave(one) && (yield* this.#serving(choice, one, requests))) return true;
    return false;
  }

  /** Mostly there is a node for the smallest pod of the first that may be asked at all. */
  *#askingFew(
    choice: Choice,
    mayHave: (wanted: Requirements) => boolean,
  ): Generator<void, boolean> {
    for (const { wanted, requests } of this.#parties)
      for (const one of wanted) {
        if (!mayHave(one)) continue;
        if (this.#inVain === mostInVain) return false;
        const part = this.#partOf(one);
        const [smallest = noResources] = requests;
        const isFit = fitting(smallest);
        if (
          part !== undefined &&
          choice.shapes.some((own) => isOf(choice, part, own) && isFit(own))
        )
          return true;
        this.#inVain += 1;
        yield;
      }
    return false;
  }

  /** What those want for whom there is a type: of a label that no type knows, any value will do. */
  *#findingServed(): Generator<void, readonly Requirements[]> {
    if (this.#served !== undefined) return this.#served;
    const served: Requirements[] = [];
    const choice = choiceOf(this.#stock);
    for (const { wanted, requests } of this.#parties)
      for (const one of wanted) if (yield* this.#serving(choice, one, requests)) served.push(one);
    this.#served = served;
    return served;
  }

  /** Whether one of those who want and ask for this finds a shape. */
  *#serving(
    choice: Narrowed,
    wanted: Requirements,
    requests: ReadonlySet<Resources>,
  ): Generator<void, boolean> {
    yield;
    const hopeful = [...requests].filter((own) => fits(own, choice.most));
    const part = hopeful.length === 0 ? undefined : this.#partOf(wanted);
    if (part === undefined) return false;
    const shapes = choice.shapes.filter((shape) => isOf(choice, part, shape));
    if (shapes.length === 0) return false;
    for (const [index, own] of hopeful.entries()) {
      if (shapes.some(fitting(own))) return true;
      if (index % sizesPerStep === sizesPerStep - 1) yield;
    }
    return false;
  }

  #partOf(requirements: Requirements): Part | undefined {
    if (this.#parts.has(requirements)) return this.#parts.get(requirements);
    const part = partOf(this.#stock, { requirements });
    this.#parts.set(requirements, part);
    return part;
  }
}

/** Whether the shape can be bought, if not now, both as the part says and as was chosen. */
function isOf({ meeting, settled }: Choice, part: Part, { index, type }: Shape): boolean {
  return (
    type.isUnusable !== true &&
    part.mask[index] === 1 &&
    meeting?.[index] !== 0 &&
    type.offerings.some(
      (one) => offeringMeets(one, part.requirements) && offeringMeets(one, settled),
    )
  );
}

/** Whether a shape has room for the pod; few sets of daemons occur, and each is added once. */
function fitting(requests: Resources): (shape: Shape) => boolean {
  const sums = new Map<Resources, Resources>();
  return ({ type, daemonRequests }) => {
    const sum = sums.get(daemonRequests) ?? add(requests, daemonRequests);
    sums.set(daemonRequests, sum);
    return fits(sum, type.allocatable);
  };
}

function isOfTypes(stock: Stock, key: string): boolean {
  return isOfOffering(key) || stock.offered(key).some((set) => set !== undefined);
}

/** All shapes of the stock; kept with it. */
function choiceOf(stock: Stock): Narrowed {
  const { shapes } = stock;
  return remembered(stock, 'choice', () => ({ settled: new Map(), shapes, most: mostOf(shapes) }));
}

/** Those that can have the value, not gone through yet. */
function anyWith(stock: Stock, key: string, value: string): Choice {
  const set = only([value]);
  const meeting = stock.meeting(key, set, `choice ${key} ${value}`);
  return { settled: new Map([[key, set]]), shapes: stock.shapes, meeting };
}

/** The same narrowed down; kept with the stock. */
function choiceWith(stock: Stock, key: string, value: string): Narrowed {
  return remembered(stock, `choice ${key} ${value}`, () => {
    const { settled, meeting } = anyWith(stock, key, value);
    const shapes = stock.shapes.filter(
      ({ index, type }) =>
        meeting?.[index] !== 0 && type.offerings.some((one) => offeringMeets(one, settled)),
    );
    return { settled, shapes, most: mostOf(shapes) };
  });
}

function mostOf(shapes: Choice['shapes']): Resources {
  return shapes.map(({ type }) => type.allocatable).reduce(largest, noResources);
}

function remembered(stock: Stock, text: string, find: () => Narrowed): Narrowed {
  const known = stock.memory.get(text);
  if (known !== undefined) return known as Narrowed;
  const found = find();
  stock.memory.set(text, found);
  return found;
}
