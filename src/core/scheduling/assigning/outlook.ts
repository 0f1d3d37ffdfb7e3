import type { Pod } from '../../cluster/pod.ts';
import type { PodClass } from '../../cluster/pod-class.ts';
import type { Slot, Workspace } from '../../cluster/workspace.ts';
import type { Vector } from '../../quantity/columns.ts';
import { noRequirements } from '../../requirements/requirements.ts';
import { type Pins, type Spot, spotsOf } from '../between-pods/counting.ts';
import type { Domains } from '../between-pods/domains.ts';
import { mostPlaces, Places } from '../between-pods/place.ts';
import type { Ties, Topology } from '../between-pods/topology.ts';
import type { Wish, Wishes } from '../market/wish.ts';
import { type Demand, unaffordable, type Worth, type Worths } from '../packing/demand.ts';
import type { Rung } from './ladder.ts';
import type { SlotLists } from './slot-lists.ts';

/** A class while its pods look for places. */
export interface Task {
  readonly podClass: PodClass;
  readonly need: Vector;
  readonly rungs: readonly Rung[];
  /** Taken from the end as places are found. */
  readonly waiting: Pod[];
}

/** The rules of a task at one rung, and where it could go by them. */
export interface Outlook {
  readonly ties: Ties;
  readonly options: readonly Option[];
}

/** Where pods of a class may go: a wish, and the domains that it settles. */
export interface Stance {
  readonly wish: Wish;
  readonly pins: Pins;
  readonly spots: readonly Spot[];
  /** What existing nodes are asked; undefined where another stance asks them. */
  readonly wishOfSlots: Wish | undefined;
}

/** A stance with what it means for one class. */
export interface Option {
  readonly stance: Stance;
  /** What such a pod costs, and from which weight class of pools. */
  readonly worth: Worth;
  /** Existing nodes that would do, those before `next` being full for this class. */
  readonly slots: readonly Slot[];
  next: number;
  demand: Demand | undefined;
}

/** What outlooks are made of. */
export interface View {
  readonly workspace: Workspace;
  readonly slotLists: SlotLists;
  readonly topology: Topology;
  readonly domains: Domains;
  readonly wishes: Wishes;
  readonly worths: Worths;
}

/** How classes with the same rules and labels stand at one rung. */
interface Standing {
  readonly ties: Ties;
  readonly stances: readonly Stance[];
  /** By what a pod needs: what it costs at each stance, as far as that was asked. */
  readonly worths: Map<Vector, readonly Worth[]>;
}

const noSlots: readonly Slot[] = [];

/** Outlooks of tasks; what classes with the same rules have in common is worked out once. */
export class Outlooks {
  readonly #parts: View;
  /** By rung, which classes with the same rules share, and by what selectors see of the class. */
  readonly #standings = new Map<Rung, Map<string, Standing>>();
  /** By rung, for classes that have nothing to do with other pods. */
  readonly #free = new Map<Rung, Standing>();
  /** By the wishes of all stances, and how many of its own pods a node holds. */
  readonly #worths = new Map<string, Standing['worths']>();
  /** Of tasks with pods that are somewhere already. */
  readonly #anywhere = new Map<Task, Ties>();
  readonly #places: Places;

  constructor(view: View) {
    this.#parts = view;
    this.#places = new Places(view.domains, view.workspace.slots);
  }

  /** How the task stands at the rung: its rules, and where it could go. */
  of(task: Task, rungIndex: number): Outlook | undefined {
    const rung = task.rungs[rungIndex];
    if (rung === undefined) return undefined;
    const { sample } = task.podClass;
    const standing = this.#standingOf(task.podClass, rung);
    const worths = this.#worthsAt(standing, sample, task.need);
    const options: Option[] = [];
    for (const stance of standing.stances) {
      const worth = worths[options.length] ?? unaffordable;
      const slots = this.#slotsFor(stance.wishOfSlots, sample, rung.isPatient);
      options.push({ stance, worth, slots, next: 0, demand: undefined });
    }
    return { ties: standing.ties, options };
  }

  /** Ports set pods apart beside what they need. */
  #worthsAt({ ties, stances, worths }: Standing, pod: Pod, need: Vector): readonly Worth[] {
    const hasPorts = pod.hostPorts.length > 0;
    const known = hasPorts ? undefined : worths.get(need);
    if (known !== undefined) return known;
    const { soloCap } = ties;
    const found = stances.map(({ wish }) =>
      this.#parts.worths.of(pod, need, { wish: wish.id, soloCap }),
    );
    if (!hasPorts) worths.set(need, found);
    return found;
  }

  /** Its rules alone. */
  tiesOf(task: Task, rungIndex: number): Ties | undefined {
    const rung = task.rungs[rungIndex];
    return rung === undefined ? undefined : this.#standingOf(task.podClass, rung).ties;
  }

  /** The same for pods that are somewhere already, whatever they asked for. */
  tiesWherever(task: Task): Ties | undefined {
    const [rung] = task.rungs;
    if (rung === undefined) return undefined;
    const known = this.#anywhere.get(task);
    if (known !== undefined) return known;
    const anywhere = { ...rung, alternatives: [noRequirements] };
    const ties = this.#parts.topology.tiesOf(task.podClass, anywhere);
    this.#anywhere.set(task, ties);
    return ties;
  }

  #standingOf(podClass: PodClass, rung: Rung): Standing {
    const byCrowd = this.#standings.get(rung) ?? new Map<string, Standing>();
    if (byCrowd.size === 0) this.#standings.set(rung, byCrowd);
    const known = byCrowd.get(podClass.crowd);
    if (known !== undefined) return known;
    const ties = this.#parts.topology.tiesOf(podClass, rung);
    const standing = isFree(ties)
      ? (this.#free.get(rung) ?? this.#stand(podClass, rung, ties))
      : this.#stand(podClass, rung, ties);
    if (isFree(ties)) this.#free.set(rung, standing);
    byCrowd.set(podClass.crowd, standing);
    return standing;
  }

  #stand({ sample }: PodClass, rung: Rung, ties: Ties): Standing {
    const stances = this.#stancesOf(sample, rung, ties);
    return { ties, stances, worths: this.#worthsFor(stances, ties.soloCap) };
  }

  /** Few lists of wishes occur, while nearly every class stands by itself. */
  #worthsFor(stances: readonly Stance[], soloCap: number): Standing['worths'] {
    const text = `${soloCap} ${stances.map(({ wish }) => wish.id).join()}`;
    const known = this.#worths.get(text);
    if (known !== undefined) return known;
    const worths: Standing['worths'] = new Map();
    this.#worths.set(text, worths);
    return worths;
  }

  #stancesOf(pod: Pod, rung: Rung, ties: Ties): readonly Stance[] {
    const { wishes } = this.#parts;
    const places = this.#places;
    const stances: Stance[] = [];
    for (const wanted of rung.alternatives)
      for (const place of places.of(ties, wanted)) {
        const wish = wishes.of(place.requirements, pod, rung.isPatient);
        const inSight = places.inSight(ties, place);
        for (const one of inSight)
          stances.push({
            wish: one === place ? wish : wishes.of(one.requirements, pod, rung.isPatient),
            pins: one.pins,
            spots: spotsOf(ties, one.pins),
            wishOfSlots: one === inSight[0] ? wish : undefined,
          });
      }
    return stances.length > mostPlaces ? stances.slice(0, mostPlaces) : stances;
  }

  #slotsFor(wish: Wish | undefined, pod: Pod, isPatient: boolean): readonly Slot[] {
    if (wish === undefined) return noSlots;
    return this.#parts.slotLists.of({ requirements: wish.requirements, pod, isPatient });
  }
}

/** Whether no rule between pods has to do with the class. */
function isFree({ zonal, host, company }: Ties): boolean {
  return zonal.length === 0 && host.length === 0 && company.length === 0;
}
