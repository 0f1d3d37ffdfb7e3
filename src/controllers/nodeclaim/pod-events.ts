import { parseTime } from '../../api/decode/duration.ts';
import { nodeClaims } from '../../api/karpenter/node-claim.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { timestamp } from '../../api/timestamp.ts';
import type { Change } from '../../runtime/object-store.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { claimOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';

/** How often the time is written at most, per claim. */
const intervalMs = 10_000;

/** Notes on each claim when a pod last came to its node or left it. */
export class PodEvents {
  readonly #context: Context;
  readonly #latestMs = new Map<string, number>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** The claim that the change of a pod concerns, if it is a coming or a going. */
  note(change: Change<PodObject>): string | undefined {
    const { cluster, informers, ports } = this.#context;
    const nodeName = change.object.spec.nodeName;
    // What the first listing tells has happened before us, at a time we do not know.
    if (!nodeName || !informers.pods.isSynced() || cluster.podOf(change.object).isDaemon) {
      return undefined;
    }
    const node = informers.nodes.get(nodeName);
    const claim = node === undefined ? undefined : claimOf(informers, node);
    if (claim === undefined || !this.#isEvent(change)) return undefined;
    this.#latestMs.set(claim.metadata.name, ports.clock.nowMs());
    return claim.metadata.name;
  }

  /** Writes the latest time, unless the one on the claim is recent enough; then a little later. */
  async reconcile(name: string): Promise<Requeue> {
    const { informers, ports } = this.#context;
    const latestMs = this.#latestMs.get(name);
    const claim = informers.nodeClaims.get(name);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) {
      this.#latestMs.delete(name);
      return onChange;
    }
    if (latestMs === undefined) return onChange;
    const writtenMs = parseTime(claim.status?.lastPodEventTime) ?? -Infinity;
    const waitMs = writtenMs + intervalMs - ports.clock.nowMs();
    if (waitMs > 0) return after(waitMs);
    this.#latestMs.delete(name);
    const body = { status: { lastPodEventTime: timestamp(latestMs) } };
    const patch = { type: 'merge', body, subresource: 'status' } as const;
    informers.nodeClaims.apply(await ports.kube.patch(nodeClaims, { name }, patch));
    return onChange;
  }

  #isEvent({ type, object, previous }: Change<PodObject>): boolean {
    const { cluster } = this.#context;
    const now = cluster.podOf(object);
    const before = previous === undefined ? undefined : cluster.podOf(previous);
    if (type === 'added') return !now.isTerminal;
    if (before === undefined) return true;
    if (type === 'deleted') return !before.isTerminating && !before.isTerminal;
    return (
      now.nodeName !== before.nodeName ||
      now.isTerminal !== before.isTerminal ||
      now.isTerminating !== before.isTerminating
    );
  }
}
