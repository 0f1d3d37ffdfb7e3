import type { Pod } from '../../cluster/pod.ts';
import type { Pool, Snapshot } from '../../cluster/snapshot.ts';
import type { Funnel, Refusal, RefusalCode, RefusalPart } from '../../explain/reason.ts';
import { count, shortList } from '../../explain/words.ts';
import { byName } from '../../text-order.ts';
import type { Plan } from '../plan.ts';
import type { Settings } from '../settings.ts';
import type { Trials } from './near-miss.ts';
import { reachingAftermath } from './refusal-aftermath.ts';
import { Inquiry, type Look } from './refusal-inquiry.ts';
import { nearMissOf } from './refusal-words.ts';
import { findingRemedies } from './remedy.ts';
import { whyNoType } from './type-refusal.ts';

/** A code and what is wrong, without the subject's name. */
export interface Why {
  readonly code: RefusalCode;
  readonly text: string;
}

/** Why the pod was not even tried, as far as it lies in the pod itself. */
export function refusalOfPod(pod: Pod): Refusal | undefined {
  if (pod.invalid !== undefined && pod.invalid.length > 0)
    return {
      code: 'invalid-pod',
      sentence: `its manifest cannot be read: ${pod.invalid.join('; ')}.`,
      parts: [],
    };
  if (pod.unsupported.length === 0) return undefined;
  return {
    code: 'unsupported-constraint',
    sentence:
      `it uses ${shortList(pod.unsupported, 3)}, which is not supported: ` +
      'no node is ordered for it, since it might not fit there.',
    parts: [],
  };
}

/**
 * The refusals of one plan. They cost nothing until somebody reads them: what is in a pod's way
 * is found out then, from the snapshot and the finished plan, and once per class of pods.
 */
export class Refusals {
  readonly #snapshot: Snapshot;
  readonly #plan: Plan;
  readonly #settings: Settings;
  #inquiry: Inquiry | undefined;

  /** `plan` may still be growing; it is not looked at before a refusal is read. */
  constructor(snapshot: Snapshot, plan: Plan, settings: Settings) {
    this.#snapshot = snapshot;
    this.#plan = plan;
    this.#settings = settings;
  }

  /** Why no place was found for the pod: the same for every pod of its class. */
  of(pod: Pod): Refusal {
    return new ReadLater(this.#findingOut(pod));
  }

  *#findingOut(pod: Pod): Generator<void, Refusal> {
    const inquiry = this.#inquiry ?? (yield* this.#opening());
    return yield* findingOut(pod, inquiry);
  }

  *#opening(): Generator<void, Inquiry> {
    const aftermath = yield* reachingAftermath(this.#snapshot, this.#plan, this.#settings);
    // Another refusal may have been read meanwhile; what it found out is worth sharing.
    this.#inquiry ??= new Inquiry(aftermath);
    return this.#inquiry;
  }
}

/** Works out, in small steps, what reading the refusal would otherwise work out all at once. */
export function* reading(refusal: Refusal): Generator<void, void> {
  if (!(refusal instanceof ReadLater)) return;
  while (!refusal.goOn()) yield;
}

/** A refusal that is worked out when it is first read. It is written out as a plain one. */
class ReadLater implements Refusal {
  #work: Iterator<void, Refusal> | undefined;
  #refusal: Refusal | undefined;

  constructor(work: Iterator<void, Refusal>) {
    this.#work = work;
  }

  get code(): RefusalCode {
    return this.toJSON().code;
  }

  get sentence(): string {
    return this.toJSON().sentence;
  }

  get parts(): readonly RefusalPart[] {
    return this.toJSON().parts;
  }

  get nodes(): Refusal['nodes'] {
    return this.toJSON().nodes;
  }

  get remedies(): Refusal['remedies'] {
    return this.toJSON().remedies;
  }

  toJSON(): Refusal {
    while (!this.goOn());
    if (this.#refusal === undefined) throw new Error('a refusal could not be worked out before');
    return this.#refusal;
  }

  /** Does one step of the work, whoever began it; true once there is nothing left to do. */
  goOn(): boolean {
    const step = this.#work?.next();
    if (step === undefined) return true;
    if (step.done !== true) return false;
    this.#refusal = step.value;
    // The snapshot of the decision must not be kept alive by its answer.
    this.#work = undefined;
    return true;
  }
}

function* findingOut(pod: Pod, inquiry: Inquiry): Generator<void, Refusal> {
  const pools = [...inquiry.aftermath.snapshot.pools].sort(heaviestFirst);
  const company = yield* inquiry.meetingCompany(pod);
  const nodes = yield* inquiry.lookingAtNodes(pod, company);
  const looks: Look[] = [];
  for (const pool of pools)
    if (whyUnusable(pool) === undefined) looks.push(yield* inquiry.looking(pod, pool, company));
  const remedies = yield* findingRemedies(pod, { looks, nodes: nodes.close }, inquiry);
  const told = {
    ...(nodes.funnel.considered === 0 ? {} : { nodes: funnelOf(nodes) }),
    remedies,
  };
  if (pools.length === 0)
    return {
      code: 'no-pools',
      sentence: 'no node has room for it and there is no NodePool to order one from: create one.',
      parts: [],
      ...told,
    };
  const parts = pools.map((pool) =>
    partOf(
      pool,
      pod,
      looks.find((look) => look.pool === pool),
    ),
  );
  return { ...summaryOf(parts), parts, ...told };
}

function summaryOf(parts: readonly RefusalPart[]): Pick<Refusal, 'code' | 'sentence'> {
  const codes = new Set(parts.map((part) => part.code));
  const [code = 'no-single-reason', ...others] = codes;
  // The pools that would take the pod but for one thing are the ones worth reading about.
  const nearest = [...parts].sort((a, b) => nearness(a) - nearness(b));
  const told = nearest.slice(0, 3).map((part) => part.sentence);
  if (parts.length > told.length)
    told.push(`${count(parts.length - told.length, 'more NodePool')}.`);
  return { code: others.length > 0 ? 'no-single-reason' : code, sentence: told.join(' ') };
}

/** How far a pool is from taking the pod: what labels or taints turn away was hardly meant for it. */
function nearness({ code }: RefusalPart): number {
  if (code === 'labels-do-not-match') return 2;
  return code === 'taint-not-tolerated' ? 1 : 0;
}

function partOf(pool: Pool, pod: Pod, look: Look | undefined): RefusalPart {
  const { code, text } =
    look === undefined
      ? { code: 'pool-not-ready' as const, text: whyUnusable(pool) ?? '' }
      : whyNoType(pod, look);
  return {
    subject: { kind: 'NodePool', name: pool.name },
    code,
    sentence: `NodePool ${pool.name}: ${text}.`,
    ...(look === undefined ? {} : { funnel: funnelOf(look.trials) }),
  };
}

function whyUnusable({ notReady, isStatic }: Pool): string | undefined {
  if (notReady !== undefined) return `nothing can be ordered from it: ${notReady}`;
  return isStatic === true
    ? 'it keeps a fixed number of nodes and orders none for pods'
    : undefined;
}

function funnelOf({ funnel, close }: Trials): Funnel {
  const [nearest] = close;
  return nearest === undefined ? funnel : { ...funnel, nearest: nearMissOf(nearest) };
}

function heaviestFirst(a: Pool, b: Pool): number {
  return b.weight - a.weight || byName(a, b);
}
