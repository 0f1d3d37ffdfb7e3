import type { NodeSource } from '../../api/decode/node.ts';
import { decodeDaemon, decodePod } from '../../api/decode/pod.ts';
import { decodePool } from '../../api/decode/pool.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { NodeObject, PodObject } from '../../api/kubernetes/core.ts';
import { conditionOf } from '../../api/resource.ts';
import { isProtected, isProvisionable, isReschedulable, type Pod } from '../../core/cluster/pod.ts';
import type { Node, Pool, Snapshot } from '../../core/cluster/snapshot.ts';
import { annotations } from '../../core/requirements/well-known.ts';
import type { Clock } from '../../ports/clock.ts';
import { decodeOnce } from './decode-once.ts';
import { isHeldForGood } from './disruption-budgets.ts';
import { claimOf, everyInformer, type Informers, nodesOf } from './informers.ts';
import type { InstanceTypeBook } from './instance-type-book.ts';
import type { ReservationLedger } from './ledger.ts';
import { NodeViews } from './node-views.ts';

export interface ClusterStateOptions {
  readonly informers: Informers;
  readonly types: InstanceTypeBook;
  readonly ledger: ReservationLedger;
  readonly clock: Clock;
  readonly ownNodeName?: string | undefined;
}

/** What the informers have seen, as the values that decisions are made on. */
export class ClusterState {
  readonly #options: ClusterStateOptions;
  readonly #views = new NodeViews();
  readonly #leaving = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** The pod as decisions see it; decoded once per version. */
  readonly podOf: (object: PodObject) => Pod = decodeOnce(decodePod);
  readonly #daemonOf = decodeOnce(decodeDaemon);
  #generation = 0;
  #built: { readonly at: string; readonly snapshot: Snapshot } | undefined;

  constructor(options: ClusterStateOptions) {
    this.#options = options;
    for (const informer of everyInformer(options.informers)) {
      informer.onChange(() => this.#changed());
    }
  }

  /** Whether everything has been listed once: before that, nothing may be decided. */
  isSynced(): boolean {
    return everyInformer(this.#options.informers).every((informer) => informer.isSynced());
  }

  /** The cluster now. The same value until something changes. */
  snapshot(): Snapshot {
    const { types, ledger, clock } = this.#options;
    const at = `${this.#generation}/${types.version}/${ledger.version}`;
    if (this.#built?.at === at) return this.#built.snapshot;
    const snapshot = { atMs: clock.nowMs(), ...this.#build() };
    this.#built = { at, snapshot };
    return snapshot;
  }

  /** Pods that want a place: those the kube-scheduler gave up on, and those of leaving nodes. */
  waitingPods(snapshot: Snapshot): readonly Pod[] {
    const { clock, informers } = this.#options;
    const nowMs = clock.nowMs();
    const isMovable = (pod: Pod): boolean =>
      isReschedulable(pod) && !isProtected(pod, nowMs) && !isHeldForGood(informers.budgets, pod);
    const moving = snapshot.nodes
      .filter((node) => node.isLeaving)
      .flatMap((node) => node.pods.filter(isMovable));
    return [...this.pendingPods(), ...moving];
  }

  /** Pods without a node that the kube-scheduler found no place for, by key. */
  pendingPods(): readonly Pod[] {
    return this.#options.informers.pods
      .by('unbound', 'yes')
      .map(this.podOf)
      .filter((pod) => isProvisionable(pod) && !pod.isTerminal && !pod.isTerminating);
  }

  /** The node counts as leaving from now on, though its claim may not say so yet. */
  markLeaving(claimName: string): void {
    this.#leaving.add(claimName);
    this.#changed();
  }

  unmarkLeaving(claimName: string): void {
    if (this.#leaving.delete(claimName)) this.#changed();
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

  #build(): Omit<Snapshot, 'atMs'> {
    const { informers } = this.#options;
    return {
      nodes: this.#views.of(this.#sources()).map((node) => this.#own(node)),
      pools: informers.nodePools.list().map((pool) => this.#poolOf(pool)),
      daemons: informers.daemonSets.list().map(this.#daemonOf),
    };
  }

  #sources(): ReadonlyMap<string, NodeSource> {
    const { informers } = this.#options;
    const sources = new Map<string, NodeSource>();
    for (const claim of informers.nodeClaims.list()) {
      const [node] = nodesOf(informers, claim);
      sources.set(`claim/${claim.metadata.name}`, this.#sourceOf(node, claim));
    }
    for (const node of informers.nodes.list()) {
      if (claimOf(informers, node) !== undefined) continue;
      sources.set(`node/${node.metadata.name}`, { node, ...this.#contextOf(node, undefined) });
    }
    return sources;
  }

  #sourceOf(node: NodeObject | undefined, claim: NodeClaim): NodeSource {
    return { node, claim, ...this.#contextOf(node, claim) };
  }

  #contextOf(
    node: NodeObject | undefined,
    claim: NodeClaim | undefined,
  ): Pick<NodeSource, 'pods' | 'reservedFor' | 'isLeaving' | 'instanceTypes'> {
    const { informers, ledger, types } = this.#options;
    const nodeName = node?.metadata.name;
    const objects = nodeName === undefined ? [] : informers.pods.by('node', nodeName);
    return {
      pods: objects.map(this.podOf),
      reservedFor:
        claim !== undefined
          ? ledger.reservedFor({ kind: 'claim', name: claim.metadata.name })
          : ledger.reservedFor({ kind: 'node', name: nodeName ?? '' }),
      isLeaving: claim !== undefined && this.#leaving.has(claim.metadata.name),
      instanceTypes: claim === undefined ? types.any() : types.of(claim.spec.nodeClassRef.name),
    };
  }

  /** The node under our own feet is protected, and so is one whose claim carries the annotation. */
  #own(node: Node): Node {
    const { informers, ownNodeName } = this.#options;
    const claim =
      node.claimName === undefined ? undefined : informers.nodeClaims.get(node.claimName);
    const isAsked = claim?.metadata.annotations?.[annotations.doNotDisrupt] === 'true';
    return node.name === ownNodeName || isAsked ? { ...node, doNotDisrupt: true } : node;
  }

  #poolOf(pool: NodePool): Pool {
    const { name } = pool.spec.template.spec.nodeClassRef;
    const notReady = this.#whyClassNotReady(name);
    const decoded = decodePool(pool, { instanceTypes: this.#options.types.of(name), notReady });
    // That its class is not ready is all that the pool says of it; the class itself knows why.
    const isFaultOfClass = conditionOf(pool, 'NodeClassReady')?.status === 'False';
    return notReady !== undefined && isFaultOfClass ? { ...decoded, notReady } : decoded;
  }

  #whyClassNotReady(name: string): string | undefined {
    const nodeClass = this.#options.informers.nodeClasses.get(name);
    if (nodeClass === undefined) return `its EC2NodeClass ${name} does not exist`;
    if (nodeClass.metadata.deletionTimestamp !== undefined)
      return `its EC2NodeClass ${name} is being deleted`;
    const ready = conditionOf(nodeClass, 'Ready');
    const isCurrent = ready?.observedGeneration === nodeClass.metadata.generation;
    if (ready?.status === 'True' && isCurrent) return this.#whyTypesUnknown(name);
    if (ready === undefined || !isCurrent)
      return `its EC2NodeClass ${name} is still being resolved`;
    return `its EC2NodeClass ${name} is not ready: ${faultOf(nodeClass) ?? ready.reason ?? ready.status}`;
  }

  #whyTypesUnknown(name: string): string | undefined {
    const why = this.#options.types.whyUnknown(name);
    return why === undefined ? undefined : `its instance types are not known: ${why}`;
  }
}

/** What the first condition that failed says; those that only wait for it say nothing new. */
function faultOf({ status }: EC2NodeClass): string | undefined {
  return (status?.conditions ?? []).find(
    (one) =>
      one.status === 'False' && one.type !== 'Ready' && one.reason !== 'DependenciesNotReady',
  )?.message;
}
