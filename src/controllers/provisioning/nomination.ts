import { type NodeObject, type PodObject, pods } from '../../api/kubernetes/core.ts';
import {
  expectedNodeOf,
  isPromisedNode,
  nominationManager,
} from '../../api/kubernetes/nomination.ts';
import { apiVersionOf, isLeaving } from '../../api/resource.ts';
import { mayKeepOut } from '../../core/scheduling/between-pods/nominated-beside.ts';
import { isKubeError } from '../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { claimOf, nodesOf } from '../cluster-state/informers.ts';
import type { Place } from '../cluster-state/ledger.ts';
import type { Context } from '../context.ts';
import { follow, runKeyed } from '../loops.ts';
import { recallPlaces } from './recalling.ts';

/** Few, so that whatever else is to be written never waits for more than these. */
const atOnce = 8;
/**
 * A scheduler that found no room anywhere wipes nominations out, then leaves the pod alone for 1 s,
 * 2 s, 4 s and so on to 10 s. It is told again at once; whoever does it more often is not.
 */
const firstPauseMs = 100;
const longestPauseMs = 10_000;
/** Somebody may add the missing rule. */
const forbiddenPauseMs = 600_000;

/**
 * Writes on pods that wait which Node they were planned for (`status.nominatedNodeName`), as soon
 * as that Node has a name, and takes it back when the plan changes. The kube-scheduler tries that
 * node first and keeps its room from others, so that a tight plan comes out as it was made. Nobody
 * is told who would thereby keep out another one with the same place.
 */
export function startNomination(
  context: Context,
  signal: AbortSignal,
): { readonly done: Promise<void> } {
  const { informers, ledger } = context;
  recallPlaces(context);
  const nominator = new Nominator(context);
  const loop = runKeyed(
    context,
    {
      name: 'provisioner.nomination',
      reconcile: (uid) => nominator.nominate(uid),
      concurrency: atOnce,
    },
    signal,
  );
  const enqueueFreedBy = (uid: string): void => {
    for (const other of nominator.freedBy(uid)) loop.enqueue(other);
  };
  follow(informers.pods, signal, (pod) => {
    const uid = pod.metadata.uid ?? '';
    if (nominator.concerns(pod)) loop.enqueue(uid);
    if (!isOpen(pod)) enqueueFreedBy(uid);
  });
  const tellAll = (place: Place): void => {
    for (const uid of ledger.reservedFor(place)) loop.enqueue(uid);
  };
  const stops = [
    ledger.onChange((_, uid) => {
      loop.enqueue(uid);
      enqueueFreedBy(uid);
    }),
    informers.nodes.onChange(({ object, previous }) => {
      if (object.spec?.providerID === previous?.spec?.providerID && !isLeaving(object)) return;
      tellAll({ kind: 'node', name: object.metadata.name });
      const claim = claimOf(informers, object);
      if (claim !== undefined) tellAll({ kind: 'claim', name: claim.metadata.name });
    }),
    informers.nodeClaims.onChange(({ object, previous }) => {
      if (object.status?.providerID === previous?.status?.providerID && !isLeaving(object)) return;
      tellAll({ kind: 'claim', name: object.metadata.name });
    }),
  ];
  for (const stop of stops) signal.addEventListener('abort', stop, { once: true });
  return loop;
}

interface Written {
  readonly nodeName: string;
  readonly pauseMs: number;
  readonly notBeforeMs: number;
}

class Nominator {
  readonly #context: Context;
  readonly #written = new Map<string, Written>();
  /** Pods that are told nothing for the sake of another one, by the uid of that one. */
  readonly #heldBack = new Map<string, Set<string>>();
  #silentUntilMs = -Infinity;
  #hasComplained = false;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Whether there is anything to tell the pod, or to take back. */
  concerns(pod: PodObject): boolean {
    const uid = pod.metadata.uid ?? '';
    if (this.#written.has(uid) || expectedNodeOf(pod) !== undefined) return true;
    return this.#context.ledger.placeOf(uid) !== undefined;
  }

  /** Those who were told nothing for its sake, to be looked at again; each is named once. */
  freedBy(uid: string): Iterable<string> {
    const freed = this.#heldBack.get(uid) ?? noUids;
    this.#heldBack.delete(uid);
    return freed;
  }

  /** Brings the nomination of one pod in line with its place. Safe to repeat. */
  async nominate(uid: string): Promise<Requeue> {
    const [pod] = this.#context.informers.pods.by('uid', uid);
    if (pod === undefined || !isOpen(pod) || isPromisedNode(pod)) {
      this.#written.delete(uid);
      return onChange;
    }
    const planned = this.#nodeFor(uid);
    const node = planned === undefined || this.#isHeldBack(pod) ? undefined : planned;
    if (node?.metadata.name === expectedNodeOf(pod)) return onChange;
    const waitMs = this.#waitMs(uid, node);
    if (waitMs > 0) return after(waitMs);
    if (node !== undefined) this.#remember(uid, node);
    return this.#write(pod, node?.metadata.name);
  }

  #nodeFor(uid: string): NodeObject | undefined {
    const { informers, ledger, settings } = this.#context;
    const place = settings.isNominationDisabled === true ? undefined : ledger.placeOf(uid);
    if (place === undefined) return undefined;
    const claim = place.kind === 'claim' ? informers.nodeClaims.get(place.name) : undefined;
    if (claim !== undefined && isLeaving(claim)) return undefined;
    const node =
      claim === undefined ? informers.nodes.get(place.name) : nodesOf(informers, claim)[0];
    return node === undefined || isLeaving(node) ? undefined : node;
  }

  /** Whether, once told, it may keep out another pod that waits for the same place. */
  #isHeldBack(object: PodObject): boolean {
    const { cluster, informers, ledger } = this.#context;
    const uid = object.metadata.uid ?? '';
    const pod = cluster.podOf(object);
    // Mostly the last to be planned is the last to be bound, and until then nobody asks again.
    const keptOut = ledger.besides(uid).findLast((other) => {
      const [found] = informers.pods.by('uid', other);
      return found !== undefined && isOpen(found) && mayKeepOut(pod, cluster.podOf(found));
    });
    if (keptOut === undefined) return false;
    this.#heldBack.set(keptOut, (this.#heldBack.get(keptOut) ?? new Set()).add(uid));
    return true;
  }

  /** How long to keep quiet: not at all about a node that the pod has not heard of, or about none. */
  #waitMs(uid: string, node: NodeObject | undefined): number {
    const nowMs = this.#context.ports.clock.nowMs();
    const written = this.#written.get(uid);
    const isAgain = node !== undefined && written?.nodeName === node.metadata.name;
    return Math.max(this.#silentUntilMs, isAgain ? written.notBeforeMs : -Infinity) - nowMs;
  }

  #remember(uid: string, { metadata: { name: nodeName } }: NodeObject): void {
    const before = this.#written.get(uid);
    const pauseMs =
      before?.nodeName === nodeName ? Math.min(longestPauseMs, before.pauseMs * 2) : firstPauseMs;
    const notBeforeMs = this.#context.ports.clock.nowMs() + pauseMs;
    this.#written.set(uid, { nodeName, pauseMs, notBeforeMs });
  }

  /**
   * As an owner of this one field: the server refuses where the scheduler has nominated a node
   * itself, or where the pod has changed since we looked.
   */
  async #write(pod: PodObject, nodeName: string | undefined): Promise<Requeue> {
    const { informers, ports } = this.#context;
    const { name, namespace, resourceVersion } = pod.metadata;
    try {
      const changed = await ports.kube.patch(
        pods,
        { name, namespace },
        {
          type: 'apply',
          fieldManager: nominationManager,
          subresource: 'status',
          body: {
            apiVersion: apiVersionOf(pods),
            kind: pods.kind,
            metadata: { name, namespace, resourceVersion },
            status: nodeName === undefined ? {} : { nominatedNodeName: nodeName },
          },
        },
      );
      informers.pods.apply(changed);
      return onChange;
    } catch (error) {
      if (!isKubeError(error, 'forbidden')) throw error;
      return this.#beSilent(error);
    }
  }

  /** Without the permission everything else goes on; the scheduler just hears nothing from us. */
  #beSilent(error: unknown): Requeue {
    const { clock, log } = this.#context.ports;
    this.#silentUntilMs = clock.nowMs() + forbiddenPauseMs;
    if (!this.#hasComplained)
      log.error('nominating pods is forbidden, so the kube-scheduler places them unadvised', {
        error,
        remedy: 'allow patch on pods/status (apiGroups: [""]), or set --disable-nomination true',
      });
    this.#hasComplained = true;
    return after(forbiddenPauseMs);
  }
}

const noUids: readonly string[] = [];

/** Whether the scheduler has still to find a node for it. */
function isOpen({ metadata, spec, status }: PodObject): boolean {
  if ((spec.nodeName ?? '') !== '' || metadata.deletionTimestamp !== undefined) return false;
  return status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}
