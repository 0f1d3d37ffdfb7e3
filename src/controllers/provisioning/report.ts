import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import { nodeOrdered, podRefused, podsPlaced } from '../../core/explain/provisioning.ts';
import { count, workloadOf } from '../../core/explain/words.ts';
import type { NewNode, Placement, Unplaced } from '../../core/scheduling/plan.ts';
import type { Context } from '../context.ts';

export interface Ordered {
  readonly claim: NodeClaim;
  readonly node: NewNode;
  readonly snapshot: Snapshot;
  readonly orderedUsdPerHour: number;
}

/** Tells what plans decide: to the decisions, and to the pods in events. Never the same twice. */
export class Reporter {
  readonly #context: Context;
  #told = new Map<string, string>();

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

  placed(placements: readonly Placement[]): void {
    const byNode = groupsOf(placements, ({ nodeName }) => nodeName);
    for (const nodeName of [...byNode.keys()].sort()) {
      const pods = (byNode.get(nodeName) ?? []).map(({ pod }) => pod);
      this.#context.ports.decisions.record(podsPlaced({ nodeName, pods }));
      for (const pod of pods) this.#nominate(pod, `node/${nodeName}`);
    }
  }

  /** One decision per workload and reason; an event for every pod that hears a new reason. */
  refused(unplaced: readonly Unplaced[]): void {
    const told = this.#told;
    this.#told = new Map(unplaced.map(({ pod, refusal }) => [pod.uid, refusal.sentence]));
    const news = unplaced.filter(({ pod, refusal }) => told.get(pod.uid) !== refusal.sentence);
    const groups = groupsOf(news, ({ pod, refusal }) => `${workloadOf(pod)}\n${refusal.sentence}`);
    for (const group of groups.values()) this.#refuse(group);
    for (const { pod, refusal } of unplaced) {
      this.#publish(pod, {
        type: 'Warning',
        reason: 'FailedScheduling',
        message: refusal.sentence,
      });
    }
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
  ): void {
    const { informers, ports } = this.#context;
    const about = informers.pods.get(`${pod.namespace}/${pod.name}`);
    if (about !== undefined) ports.events.publish({ about, ...event });
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
