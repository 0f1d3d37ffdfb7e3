import type { Pod } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Slot, Workspace } from '../cluster/workspace.ts';
import type { Vector } from '../quantity/columns.ts';
import { combine, labelsMeet, requirementsOf } from '../requirements/requirements.ts';
import { has } from '../requirements/value-set.ts';
import type { Pins } from './counting.ts';
import type { Demand, Worths } from './demand.ts';
import type { Domains } from './domains.ts';
import type { Rung } from './ladder.ts';
import type { Ties, Topology } from './topology.ts';
import { repels, type Wish, type Wishes } from './wish.ts';

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
interface Stance {
  readonly wish: Wish;
  readonly pins: Pins;
}

/** A stance with what it means for one class. */
export interface Option extends Stance {
  /** The weight class of pools that has a machine for such a pod; Infinity where none has. */
  readonly tier: number;
  readonly worthUsdPerHour: number;
  /** Existing nodes that would do, those before `next` being full for this class. */
  readonly slots: readonly Slot[];
  next: number;
  demand: Demand | undefined;
}

/** What outlooks are made of. */
export interface View {
  readonly workspace: Workspace;
  readonly topology: Topology;
  readonly domains: Domains;
  readonly wishes: Wishes;
  readonly worths: Worths;
}

interface Standing {
  readonly rung: Rung;
  readonly rungIndex: number;
  readonly ties: Ties;
}

const noPins: Pins = new Map();
/** More combinations of domains than this are not weighed against each other. */
const mostStances = 4096;

/** Outlooks of tasks; what classes with the same rules have in common is worked out once. */
export class Outlooks {
  readonly #parts: View;
  readonly #stances = new Map<string, readonly Stance[]>();
  readonly #slots = new Map<string, readonly Slot[]>();

  constructor(view: View) {
    this.#parts = view;
  }

  /** How the task stands at the rung: its rules, and where it could go. */
  of(task: Task, rungIndex: number): Outlook | undefined {
    const rung = task.rungs[rungIndex];
    if (rung === undefined) return undefined;
    const ties = this.#parts.topology.tiesOf(task.podClass, rung, rungIndex);
    return { ties, options: this.#options(task, { rung, rungIndex, ties }) };
  }

  #options(task: Task, at: Standing): readonly Option[] {
    const { sample } = task.podClass;
    const { soloCap } = at.ties;
    return this.#stancesOf(task, at).map(({ wish, pins }) => {
      const worth = this.#parts.worths.of(sample, task.need, { wish: wish.id, soloCap });
      return {
        wish,
        pins,
        tier: worth.tier,
        worthUsdPerHour: worth.usdPerHour,
        slots: this.#slotsFor(wish, sample, at.rung.isPatient),
        next: 0,
        demand: undefined,
      };
    });
  }

  /** The same for all classes with these rules and labels. */
  #stancesOf(task: Task, { rung, rungIndex, ties }: Standing): readonly Stance[] {
    const { podClass } = task;
    const text = `${rungIndex} ${podClass.crowd} ${podClass.rules}`;
    const known = this.#stances.get(text);
    if (known !== undefined) return known;
    const { wishes } = this.#parts;
    const stances = rung.alternatives.flatMap((wanted) =>
      this.#pinsFor(ties, wanted).map((pins): Stance => {
        const settled = requirementsOf(
          [...pins].map(([key, value]) => ({ key, operator: 'In', values: [value] })),
        );
        const requirements = pins.size === 0 ? wanted : combine(wanted, settled);
        return { wish: wishes.of(requirements, podClass.sample, rung.isPatient), pins };
      }),
    );
    this.#stances.set(text, stances);
    return stances;
  }

  #pinsFor(ties: Ties, wanted: Rung['alternatives'][number]): readonly Pins[] {
    let pins: Pins[] = [noPins];
    for (const key of ties.pinned) {
      const set = wanted.get(key);
      const values = this.#parts.domains
        .all(key)
        .filter((value) => set === undefined || has(set, value));
      pins = pins
        .flatMap((before) => values.map((value) => new Map([...before, [key, value]])))
        .slice(0, mostStances);
    }
    return pins;
  }

  #slotsFor(wish: Wish, pod: Pod, isPatient: boolean): readonly Slot[] {
    const { workspace } = this.#parts;
    if (workspace.slots.length === 0) return [];
    const tolerations = pod.tolerations.length === 0 ? '' : JSON.stringify(pod.tolerations);
    const text = `${wish.id} ${isPatient} ${tolerations}`;
    const known = this.#slots.get(text);
    if (known !== undefined) return known;
    const found = workspace.slots.filter(
      (slot) => !repels(slot.taints, pod, isPatient) && labelsMeet(slot.labels, wish.requirements),
    );
    this.#slots.set(text, found);
    return found;
  }
}
