import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import {
  nodeOrdered,
  podRefused,
  podsPlaced,
  refusalText,
} from '../../core/explain/provisioning.ts';
import { count, workloadOf } from '../../core/explain/words.ts';
import type { NewNode, Placement, Unplaced } from '../../core/scheduling/plan.ts';
import type { Context } from '../context.ts';

export interface Ordered {
  readonly claim: NodeClaim;
  readonly node: NewNode;
  readonly snapshot: Snapshot;
  readonly orderedUsdPerHour: number;
}

/** What a plan says about pods that no node is ordered for. */
export interface News {
  readonly unplaced: readonly Unplaced[];
  /** Those that were not known to go there. */
  readonly placed: readonly Placement[];
}

/** Events are forgotten after an hour; a pod that waits longer shall still know why. */
const reminderMs = 300_000;
const failed = { type: 'Warning', reason: 'FailedScheduling' } as const;

interface Told {
  readonly sentence: string;
  /** When the pod heard of it last; never, as long as others were told before it. */
  readonly atMs: number;
}

/** Tells what plans decide: to the decisions, and to the pods in events. Never the same twice. */
export class Reporter {
  readonly #context: Context;
  #told = new Map<string, Told>();
  /** The list that was told of last, and when one of its pods is to hear again. */
  #unplaced: readonly Unplaced[] = [];
  #dueMs = Infinity;

  constructor(context: Context) {
    this.#context = context;
  }

  ordered({ claim, node, snapshot, orderedUsdPerHour }: Ordered): void {
    const claimName = claim.metadata.name;
    this.#context.ports.decisions.record(
      nodeOrdered({ claimName, node, snapshot, orderedUsdPerHour }),
    );
    for (const pod of node.pods) this.#nominate(pod, `nodeclaim/${claimName}`);
  }

  /** Everything but the orders, a pod or a node at a time. */
  *telling(news: News): Generator<void, void> {
    yield* this.#refused(news.unplaced);
    yield* this.#placed(news.placed);
  }

  *#placed(placements: readonly Placement[]): Generator<void, void> {
    const byNode = groupsOf(placements, ({ nodeName }) => nodeName);
    for (const nodeName of [...byNode.keys()].sort()) {
      const pods = (byNode.get(nodeName) ?? []).map(({ pod }) => pod);
      this.#context.ports.decisions.record(podsPlaced({ nodeName, pods }));
      for (const pod of pods) this.#nominate(pod, `node/${nodeName}`);
      yield;
    }
  }

  /** One decision per workload and new reason; each pod hears its own now and then. */
  *#refused(unplaced: readonly Unplaced[]): Generator<void, void> {
    const isKnown = unplaced === this.#unplaced;
    const nowMs = this.#context.ports.clock.nowMs();
    const news = isKnown ? [] : yield* this.#newsIn(unplaced);
    if (!isKnown || nowMs >= this.#dueMs) yield* this.#tellPods(unplaced, nowMs);
    const groups = groupsOf(news, ({ pod, refusal }) => `${workloadOf(pod)}\n${refusal.sentence}`);
    for (const group of groups.values()) {
      this.#refuse(group);
      yield;
    }
    this.#unplaced = unplaced;
  }

  *#newsIn(unplaced: readonly Unplaced[]): Generator<void, readonly Unplaced[]> {
    const before = this.#told;
    this.#told = new Map();
    const news: Unplaced[] = [];
    for (const one of unplaced) {
      const sentence = refusalText(one.refusal);
      const earlier = before.get(one.pod.uid);
      const isNews = earlier?.sentence !== sentence;
      if (isNews) news.push(one);
      this.#told.set(one.pod.uid, { sentence, atMs: isNews ? -Infinity : earlier.atMs });
      yield;
    }
    return news;
  }

  /** Who has never heard comes before those who are reminded, since only so many are told at once. */
  *#tellPods(unplaced: readonly Unplaced[], nowMs: number): Generator<void, void> {
    const due = unplaced.flatMap(({ pod }) => {
      const told = this.#told.get(pod.uid);
      return told !== undefined && nowMs - told.atMs >= reminderMs ? [{ pod, told }] : [];
    });
    const isReminder = ({ told }: { readonly told: Told }): boolean => told.atMs !== -Infinity;
    const inTurn = [...due.filter((one) => !isReminder(one)), ...due.filter(isReminder)];
    for (const { pod, told } of inTurn) {
      const { sentence } = told;
      if (this.#publish(pod, { ...failed, message: sentence }))
        this.#told.set(pod.uid, { sentence, atMs: nowMs });
      yield;
    }
    this.#dueMs = Infinity;
    for (const { atMs } of this.#told.values())
      if (atMs + reminderMs < this.#dueMs) this.#dueMs = atMs + reminderMs;
  }

  #refuse(group: readonly Unplaced[]): void {
    const [first] = group;
    if (first === undefined) return;
    const draft = podRefused(first);
    const others = group.length - 1;
    const sentence =
      others === 0
        ? draft.sentence
        : `${draft.sentence} The same holds for ${count(others, 'more pod')} of ${workloadOf(first.pod)}.`;
    this.#context.ports.decisions.record({
      ...draft,
      because: [...draft.because, { name: 'pods', value: group.length }],
      sentence,
    });
  }

  #nominate(pod: Pod, place: string): void {
    const message = `Pod should schedule on: ${place}`;
    this.#publish(pod, { type: 'Normal', reason: 'Nominated', message });
  }

  #publish(
    pod: Pod,
    event: {
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly message: string;
    },
  ): boolean {
    const { informers, ports } = this.#context;
    const about = informers.pods.get(`${pod.namespace}/${pod.name}`);
    return about === undefined || ports.events.publish({ about, ...event });
  }
}

/** The items by what they have in common, both in order of appearance. */
function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
