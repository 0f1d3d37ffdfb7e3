import type { Pod } from '../../cluster/pod.ts';
import { add, fits, largest, noResources, type Resources } from '../../quantity/resources.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { has, only } from '../../requirements/value-set.ts';
import { withVolumes } from '../assigning/ladder.ts';
import { isOfOffering, offeringMeets } from '../market/admission.ts';
import type { Shape, Stock } from '../market/stock.ts';
import { type Part, partOf } from '../market/stock-part.ts';
import { repels } from '../market/wish.ts';

/** Shapes of a stock and, where it is known, the most that any of them has for pods and daemons. */
interface Choice {
  /** What the nodes are to have, which these shapes can. */
  readonly settled: Requirements;
  readonly shapes: readonly Shape[];
  /** By shape: 0 where it cannot after all. */
  readonly meeting?: Uint8Array;
  readonly most?: Resources;
}

/** So many pods are asked about all shapes in vain, before these are narrowed down for the others. */
const mostInVain = 16;

/** Which nodes of one pool might be opened for one of the pods, were everything available. */
export class Reach {
  readonly #stock: Stock;
  readonly #pods: readonly Pod[];
  readonly #known = new Map<string, boolean>();
  readonly #parts = new Map<Requirements, Part | undefined>();
  #served: readonly Requirements[] | undefined;
  #inVain = 0;

  constructor(stock: Stock, pods: readonly Pod[]) {
    this.#stock = stock;
    // Classes come in order of size, and for small pods there mostly is a node.
    this.#pods = pods.filter((pod) => !repels(stock.pool.taints, pod, false)).reverse();
  }

  /** Whether one of them might have this value of the label. */
  has(key: string, value: string): boolean {
    const text = `${key} ${value}`;
    const known = this.#known.get(text) ?? this.#find(key, value);
    this.#known.set(text, known);
    return known;
  }

  #find(key: string, value: string): boolean {
    const mayHave = (wanted: Requirements): boolean => {
      const set = wanted.get(key);
      return set === undefined || has(set, value);
    };
    if (this.#isForFew(anyWith(this.#stock, key, value), mayHave)) return true;
    // Hundreds of values must not ask every type about every pod again.
    if (!isOfTypes(this.#stock, key)) return this.#allServed().some(mayHave);
    const choice = choiceWith(this.#stock, key, value);
    return this.#pods.some((pod) =>
      wantedBy(pod).some((wanted) => mayHave(wanted) && this.#hasIn(choice, wanted, pod)),
    );
  }

  /** Mostly there is a node for one of the first that may be asked at all. */
  #isForFew(choice: Choice, mayHave: (wanted: Requirements) => boolean): boolean {
    for (const pod of this.#pods)
      for (const wanted of wantedBy(pod)) {
        if (!mayHave(wanted)) continue;
        if (this.#inVain === mostInVain) return false;
        if (this.#hasIn(choice, wanted, pod)) return true;
        this.#inVain += 1;
      }
    return false;
  }

  /** What those want for whom there is a type: of a label that no type knows, any value will do. */
  #allServed(): readonly Requirements[] {
    if (this.#served !== undefined) return this.#served;
    const served = new Set<Requirements>();
    const choice = choiceOf(this.#stock);
    for (const pod of this.#pods)
      for (const wanted of wantedBy(pod))
        if (!served.has(wanted) && this.#hasIn(choice, wanted, pod)) served.add(wanted);
    this.#served = [...served];
    return this.#served;
  }

  #hasIn(choice: Choice, wanted: Requirements, { requests }: Pod): boolean {
    const { shapes, meeting, most, settled } = choice;
    if (most !== undefined && !fits(requests, most)) return false;
    const part = this.#partOf(wanted);
    if (part === undefined) return false;
    return shapes.some(
      ({ index, type, daemonRequests }) =>
        part.mask[index] === 1 &&
        meeting?.[index] !== 0 &&
        fits(add(requests, daemonRequests), type.allocatable) &&
        type.offerings.some(
          (one) => offeringMeets(one, part.requirements) && offeringMeets(one, settled),
        ),
    );
  }

  #partOf(requirements: Requirements): Part | undefined {
    if (this.#parts.has(requirements)) return this.#parts.get(requirements);
    const part = partOf(this.#stock, { requirements });
    this.#parts.set(requirements, part);
    return part;
  }
}

function wantedBy(pod: Pod): readonly Requirements[] {
  return withVolumes(pod.nodeAlternatives, pod);
}

function isOfTypes(stock: Stock, key: string): boolean {
  return isOfOffering(key) || stock.offered(key).some((set) => set !== undefined);
}

/** All shapes of the stock; kept with it. */
function choiceOf(stock: Stock): Choice {
  const { shapes } = stock;
  return remembered(stock, 'choice', () => ({ settled: new Map(), shapes, most: mostOf(shapes) }));
}

/** Those that can have the value, not gone through yet. */
function anyWith(stock: Stock, key: string, value: string): Choice {
  const set = only([value]);
  const meeting = stock.meeting(key, set, `choice ${key} ${value}`);
  return { settled: new Map([[key, set]]), shapes: stock.shapes, meeting };
}

/** The same gone through; kept with the stock. */
function choiceWith(stock: Stock, key: string, value: string): Choice {
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

function remembered(stock: Stock, text: string, find: () => Choice): Choice {
  const known = stock.memory.get(text);
  if (known !== undefined) return known as Choice;
  const found = find();
  stock.memory.set(text, found);
  return found;
}
