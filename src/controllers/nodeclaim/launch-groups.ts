import { launchGroupText } from '../../api/karpenter/launch-group.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { annotationsOfMachine } from '../../api/karpenter/planned-pods.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Random, uuid } from '../../ports/random.ts';

/** As long as claims keep coming within this time, the group is open; but no longer than `maxMs`. */
const idleMs = 100;
const maxMs = 1_000;
const maxSize = 100;

interface Waiting {
  readonly claim: NodeClaim;
  readonly resolve: (text: string | undefined) => void;
}

interface OpenGroup {
  readonly members: Waiting[];
  readonly untilMs: number;
  cancel: () => void;
}

/**
 * Puts claims that ask for the very same thing at the same moment into one group, so that one call
 * buys their machines. Who is in it must be written on each claim before the purchase: only then
 * can whoever comes after a crash send the same request again, and deal out its machines alike.
 */
export class LaunchGroups {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #open = new Map<string, OpenGroup>();

  constructor(ports: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = ports.clock;
    this.#random = ports.random;
  }

  /** What to write on the claim, a moment later; undefined for a claim that has no equals. */
  join(claim: NodeClaim): Promise<string | undefined> {
    return new Promise((resolve) => {
      const key = wishOf(claim);
      const group = this.#open.get(key) ?? this.#start(key);
      group.members.push({ claim, resolve });
      group.cancel();
      if (group.members.length >= maxSize) return this.#close(key);
      const restMs = Math.min(idleMs, group.untilMs - this.#clock.nowMs());
      group.cancel = this.#clock.schedule(restMs, () => this.#close(key));
    });
  }

  #start(key: string): OpenGroup {
    const group = { members: [], untilMs: this.#clock.nowMs() + maxMs, cancel: () => {} };
    this.#open.set(key, group);
    return group;
  }

  #close(key: string): void {
    const members = this.#open.get(key)?.members ?? [];
    this.#open.delete(key);
    const [first] = members;
    if (members.length === 1) {
      first?.resolve(undefined);
      return;
    }
    const id = uuid(this.#random);
    members.sort((a, b) => (uidOf(a) < uidOf(b) ? -1 : 1));
    for (const [index, { resolve }] of members.entries())
      resolve(launchGroupText({ id, index, size: members.length }));
  }
}

/** Everything of a claim that its machine can depend on. */
function wishOf(claim: NodeClaim): string {
  const { spec, metadata } = claim;
  return JSON.stringify([spec, metadata.labels, annotationsOfMachine(claim)]);
}

function uidOf({ claim }: Waiting): string {
  return claim.metadata.uid ?? '';
}
