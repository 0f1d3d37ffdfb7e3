import type { DefaultSpread } from '../../api/decode/default-spread.ts';
import type { NodeSource } from '../../api/decode/node.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodeOverlay } from '../../api/karpenter/node-overlay.ts';
import type { NodeObject, PodObject } from '../../api/kubernetes/core.ts';
import type { InstanceType } from '../../core/catalog/instance-type.ts';
import { isProtected, isProvisionable, isReschedulable, type Pod } from '../../core/cluster/pod.ts';
import type { Snapshot } from '../../core/cluster/snapshot.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { finish } from '../../core/steps.ts';
import type { Clock } from '../../ports/clock.ts';
import type { BufferBook } from '../buffer/buffer-book.ts';
import { OverlayBook } from '../overlay/overlay-book.ts';
import { DaemonViews } from './daemon-views.ts';
import { decodeOnce } from './decode-once.ts';
import { DirtyPlaces } from './dirty-places.ts';
import { isHeldForGood } from './disruption-budgets.ts';
import { claimOf, everyInformer, type Informers, nodesOf } from './informers.ts';
import type { InstanceTypeBook } from './instance-type-book.ts';
import type { Place, ReservationLedger } from './ledger.ts';
import { NodeViews } from './node-views.ts';
import { PodViews } from './pod-views.ts';
import { PoolViews } from './pool-views.ts';
import { isSameParts, keptValue, namespaceLabels } from './snapshot-parts.ts';

/** Pods that are looked at in one step. */
const stepLength = 64;

export interface ClusterStateOptions {
  readonly informers: Informers;
  readonly types: InstanceTypeBook;
  readonly ledger: ReservationLedger;
  readonly clock: Clock;
  readonly ownNodeName?: string | undefined;
  /** How the kube-scheduler spreads pods that do not say. */
  readonly defaultSpread?: readonly DefaultSpread[] | undefined;
  /** Room that is kept for pods that do not exist yet; they wait like any other. */
  readonly buffers?: Pick<BufferBook, 'pods'> | undefined;
  /** What to believe of instance types; what the cloud tells where not given. */
  readonly overlays?: OverlayBook | undefined;
}

/** Pods that wait, and what they were found from. */
interface Pending {
  readonly objects: readonly PodObject[];
  readonly circumstances: number;
  readonly pods: readonly Pod[];
}

/**
 * What the informers have seen, as the values that decisions are made on. A snapshot is made
 * from the one before and from what changed since: whatever did not change is the same value.
 */
export class ClusterState {
  readonly #options: ClusterStateOptions;
  readonly #dirty: DirtyPlaces;
  readonly #nodes = new NodeViews();
  readonly #pods: PodViews;
  readonly #pools: PoolViews;
  readonly #leaving = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** The pod as decisions see it; decoded once per version. */
  readonly podOf: (object: PodObject) => Pod;
  readonly #daemons: DaemonViews;
  readonly #namespacesOf = decodeOnce(namespaceLabels);
  #generation = 0;
  #typesSeen = '';
  #supplyOfRest = 0;
  #builtAt = '';
  #built: Snapshot | undefined;
  /** Changes of what pods are decoded with: volumes and Services. */
  #circumstances = 0;
  #pending: Pending | undefined;

  constructor(options: ClusterStateOptions) {
    const { informers, types, ledger, overlays = new OverlayBook(() => noOverlays) } = options;
    this.#options = options;
    this.#pods = new PodViews(informers, { defaultSpread: options.defaultSpread });
    this.podOf = this.#pods.of;
    this.#daemons = new DaemonViews({ informers, podOf: this.podOf });
    this.#dirty = new DirtyPlaces(informers);
    this.#pools = new PoolViews({ informers, types, overlays });
    ledger.onChange((place) => this.#dirty.mark(place));
    for (const informer of everyInformer(informers)) informer.onChange(() => this.#changed());
    const { volumeClaims, volumes, storageClasses, services } = informers;
    for (const informer of [volumeClaims, volumes, storageClasses, services])
      informer?.onChange(() => this.#circumstances++);
  }

  /** Whether everything has been listed once: before that, nothing may be decided. */
  isSynced(): boolean {
    return everyInformer(this.#options.informers).every((informer) => informer.isSynced());
  }

  /** The cluster now. The same value until something changes that decisions depend on. */
  snapshot(): Snapshot {
    const { types, ledger, clock } = this.#options;
    const at = `${this.#generation}/${types.version}/${ledger.version}`;
    if (this.#built !== undefined && this.#builtAt === at) return this.#built;
    const parts = this.#build(this.#built);
    this.#builtAt = at;
    if (this.#built === undefined || !isSameParts(this.#built, parts))
      this.#built = { atMs: clock.nowMs(), ...parts };
    return this.#built;
  }

  /**
   * Differs from an earlier answer if a pod that found no place then might find one now. That a
   * pod came, or was bound, does not count: it only takes room.
   */
  supply(): string {
    this.snapshot();
    return `${this.#nodes.supply}/${this.#supplyOfRest}`;
  }

  /**
   * Looks at what changed, in small steps, so that the next snapshot finds little left to do: after
   * the first list everything has changed. What changes meanwhile is looked at as well.
   */
  *catchingUp(): Generator<void, void> {
    this.#noticeTypes();
    for (let place = this.#dirty.take(); place !== undefined; place = this.#dirty.take()) {
      this.#update(place);
      yield;
    }
  }

  /** How much had to be decoded so far, for those who watch over the work. */
  work(): { readonly pods: number; readonly nodes: number } {
    return { pods: this.#pods.decodings, nodes: this.#nodes.decodings };
  }

  /**
   * Pods that want a place: those the kube-scheduler gave up on, those of leaving nodes, and
   * those that stand for room to be kept. In small steps, since many may have to be decoded.
   */
  *waitingPods(snapshot: Snapshot): Generator<void, readonly Pod[]> {
    const moving = snapshot.nodes
      .filter((node) => node.isLeaving)
      .flatMap((node) => node.pods.filter((pod) => this.isMovable(pod)));
    const pending = yield* this.#pendingPods();
    return [...pending, ...moving, ...(this.#options.buffers?.pods() ?? [])];
  }

  /** Whether a pod of a leaving node wants another place: it comes back, and nothing holds it for good. */
  isMovable(pod: Pod): boolean {
    const { clock, informers } = this.#options;
    if (!isReschedulable(pod) || isProtected(pod, clock.nowMs())) return false;
    return !isHeldForGood(informers.budgets, pod);
  }

  /** Pods without a node that the kube-scheduler found no place for, by key. */
  pendingPods(): readonly Pod[] {
    return finish(this.#pendingPods());
  }

  /** The same list until one of these pods changes, or something that they are decoded with. */
  *#pendingPods(): Generator<void, readonly Pod[]> {
    const objects = this.#options.informers.pods.by('unbound', 'yes');
    const circumstances = this.#circumstances;
    const known = this.#pending;
    if (known?.objects === objects && known.circumstances === circumstances) return known.pods;
    const pods: Pod[] = [];
    let looked = 0;
    for (const object of objects) {
      if (++looked % stepLength === 0) yield;
      const pod = this.podOf(object);
      if (isProvisionable(pod) && !pod.isTerminal && !pod.isTerminating) pods.push(pod);
    }
    this.#pending = { objects, circumstances, pods };
    return pods;
  }

  /** The node counts as leaving from now on, though its claim may not say so yet. */
  markLeaving(claimName: string): void {
    this.#leaving.add(claimName);
    this.#dirty.mark({ kind: 'claim', name: claimName });
    this.#changed();
  }

  unmarkLeaving(claimName: string): void {
    if (!this.#leaving.delete(claimName)) return;
    this.#dirty.mark({ kind: 'claim', name: claimName });
    this.#changed();
  }

  isMarkedLeaving(claimName: string): boolean {
    return this.#leaving.has(claimName);
  }

  /** Calls back after every change until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells listeners of what no informer tells: a new plan, a changed ledger or catalogue. */
  announce(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #changed(): void {
    this.#generation++;
    this.announce();
  }

  #build(before: Snapshot | undefined): Omit<Snapshot, 'atMs'> {
    const { informers } = this.#options;
    finish(this.catchingUp());
    const pools = this.#pools.list();
    const parts = {
      nodes: this.#nodes.list(),
      pools,
      daemons: keptValue(before?.daemons, this.#daemons.list()),
      namespaces: keptValue(before?.namespaces, this.#namespacesOf(informers.namespaces.list())),
    };
    const isSameRest =
      before?.pools === parts.pools &&
      before.daemons === parts.daemons &&
      before.namespaces === parts.namespaces;
    if (!isSameRest) this.#supplyOfRest++;
    return parts;
  }

  /** Prices of nodes, and sizes of those not launched yet, are read from the types. */
  #noticeTypes(): void {
    this.#pools.list();
    const typesNow = `${this.#options.types.version}/${this.#pools.typesVersion}`;
    if (this.#typesSeen !== typesNow) this.#dirty.markAll();
    this.#typesSeen = typesNow;
  }

  #update({ kind, name }: Place): void {
    if (kind === 'claim') this.#updateClaim(name);
    else this.#updateNode(name);
  }

  #updateNode(name: string): void {
    const { informers } = this.#options;
    const node = informers.nodes.get(name);
    const claim = node === undefined ? undefined : claimOf(informers, node);
    if (claim !== undefined) this.#dirty.mark({ kind: 'claim', name: claim.metadata.name });
    if (node === undefined || claim !== undefined) this.#nodes.delete(`node/${name}`);
    else this.#nodes.set(`node/${name}`, { node, ...this.#contextOf(node, undefined) });
  }

  #updateClaim(name: string): void {
    const claim = this.#options.informers.nodeClaims.get(name);
    if (claim === undefined) this.#nodes.delete(`claim/${name}`);
    else this.#nodes.set(`claim/${name}`, this.#sourceOf(claim));
  }

  #sourceOf(claim: NodeClaim): NodeSource {
    const [node] = nodesOf(this.#options.informers, claim);
    return { node, claim, ...this.#contextOf(node, claim) };
  }

  #contextOf(
    node: NodeObject | undefined,
    claim: NodeClaim | undefined,
  ): Omit<NodeSource, 'node' | 'claim'> {
    const { informers, ledger, types, ownNodeName } = this.#options;
    const name = node?.metadata.name ?? '';
    return {
      pods: name === '' ? [] : informers.pods.by('node', name).map(this.podOf),
      reservedFor:
        claim !== undefined
          ? ledger.reservedFor({ kind: 'claim', name: claim.metadata.name })
          : ledger.reservedFor({ kind: 'node', name }),
      isLeaving: claim !== undefined && this.#leaving.has(claim.metadata.name),
      // The node under our own feet.
      isProtected: name !== '' && name === ownNodeName,
      csiNode: informers.csiNodes.get(name),
      instanceTypes: claim === undefined ? types.any() : this.#typesOf(claim),
    };
  }

  #typesOf({ metadata, spec }: NodeClaim): readonly InstanceType[] {
    const ofPool = this.#pools.typesOf(metadata.labels?.[labels.nodePool] ?? '');
    return ofPool ?? this.#options.types.of(spec.nodeClassRef.name);
  }
}

const noOverlays: readonly NodeOverlay[] = [];
