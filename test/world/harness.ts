import type { AwsClients } from '../../src/adapters/aws/calls/clients.ts';
import { createSeededRandom, fork } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import { type NodePool, nodePools } from '../../src/api/karpenter/node-pool.ts';
import {
  type NodeObject,
  type PodObject,
  podDisruptionBudgets,
} from '../../src/api/kubernetes/core.ts';
import { type DeploymentObject, deployments } from '../../src/api/kubernetes/workload.ts';
import type { NewObject } from '../../src/api/resource.ts';
import { openVirtualWorld, type VirtualWorld } from '../../src/cli/compose/virtual-world.ts';
import { deployment, nodeClass, pools } from '../../src/cli/story/manifests.ts';
import { installCrds } from '../../src/cli/story/seed.ts';
import type { Karpenter, KarpenterSettings } from '../../src/controllers/karpenter.ts';
import type { Decision } from '../../src/core/explain/decision.ts';
import type { HttpHandler, HttpRequest, HttpResponse } from '../../src/ports/http.ts';
import type { KubeClient } from '../../src/ports/kube.ts';
import type { AwsEndpoint } from '../../src/world/aws/endpoint.ts';
import { fewTypesCatalog, shippedCatalog } from '../aws-cli/embedded-aws.ts';
import { CloudCensus } from './cloud-census.ts';
import { ClusterCensus } from './cluster-census.ts';
import { collectedLog } from './collected-log.ts';
import { type ControllerProcess, startProcess } from './controller-process.ts';
import type { Write } from './life.ts';
import { pictureOf } from './picture.ts';
import { ofOneType, poolLikeStory } from './pool.ts';

export interface TestWorldOptions {
  readonly seed?: number;
  /** How much faster than life machines boot; 10 unless told. */
  readonly speed?: number;
  /** Without the two system nodes and their daemons, where a test does not need them. */
  readonly isBare?: boolean;
  /** With few instance types, which every start of a controller has to read. */
  readonly hasFewTypes?: boolean;
}

/** One process of several. */
export interface Replica {
  readonly karpenter: Karpenter;
  /** Ends it like a power cut. */
  kill(): void;
}

/**
 * Stands between Karpenter and a server: passes requests on, refuses them, or loses answers. Lives
 * are counted from one, in the order in which processes were started.
 */
export type Meddler = (
  request: HttpRequest,
  handle: HttpHandler,
  life: number,
) => Promise<HttpResponse>;

export const clusterName = 'test';
const region = 'us-east-1';

/**
 * A whole cluster in this process on a virtual clock: API server, workload controllers, scheduler,
 * kubelets and AWS, with our production controller in front of them.
 */
export class TestWorld {
  readonly clock: VirtualClock;
  readonly kube: KubeClient;
  readonly aws: AwsEndpoint;
  /** The cloud as its owner reaches it, past Karpenter. */
  readonly ec2: AwsClients['ec2'];
  /** What the cloud says that it holds of ours. */
  readonly cloud: CloudCensus;
  readonly errors: string[] = [];
  /** What Karpenter wrote to the API server, events left out. */
  readonly writes: Write[] = [];
  readonly decisions: Decision[] = [];
  /** What the process that was started last tells Prometheus. */
  metrics: () => string = () => '';
  /** Meddles with Karpenter's requests to the API server, from now on. */
  meddleKube: Meddler = (request, handle) => handle(request);
  /** Meddles with Karpenter's requests to AWS, from now on. */
  meddleAws: Meddler = (request, handle) => handle(request);
  readonly #seed: number;
  readonly #world: VirtualWorld;
  readonly #census: ClusterCensus;
  readonly #running: Promise<unknown>[] = [];
  #lives = 0;
  #controller: ControllerProcess | undefined;

  constructor(options: TestWorldOptions = {}) {
    this.#seed = options.seed ?? 1;
    this.clock = createVirtualClock(Date.UTC(2026, 0, 5, 9));
    const parts = {
      clock: this.clock,
      random: createSeededRandom(this.#seed),
      log: collectedLog('world', () => true, this.errors),
    };
    const catalog = options.hasFewTypes === true ? fewTypesCatalog() : shippedCatalog();
    const speed = options.speed ?? 10;
    this.#world = openVirtualWorld(parts, { catalog, region, clusterName, speed });
    this.kube = this.#world.kube;
    this.aws = this.#world.aws;
    this.ec2 = this.#world.awsClients.ec2;
    this.cloud = new CloudCensus(this.ec2);
    const log = collectedLog('test', () => true, this.errors);
    this.#census = new ClusterCensus(
      { kube: this.kube, clock: this.clock, log },
      this.#world.signal,
    );
  }

  /** CRDs, system nodes and the daemons of every node; then the EC2NodeClass. */
  async seed(isBare: boolean): Promise<void> {
    if (isBare) await this.#world.drive(installCrds(this.kube));
    else await this.#world.seed();
    this.#census.followClaims(this.#world.signal);
    await this.kube.create(ec2NodeClasses, nodeClass(clusterName));
  }

  /** The two pools of the first story, spot before on-demand. */
  async applyStoryPools(): Promise<void> {
    for (const pool of pools()) await this.kube.create(nodePools, pool);
  }

  /** A pool like those of the story, changed as told. */
  async applyPool(
    name: string,
    change: (spec: NodePool['spec']) => NodePool['spec'],
  ): Promise<void> {
    await this.kube.create(nodePools, poolLikeStory(name, change));
  }

  /** A pool of on-demand m5.xlarge alone, in which it is known what fits a machine. */
  async applyPoolOfOneType(name: string): Promise<void> {
    await this.applyPool(name, ofOneType);
  }

  async applyDeployment(
    name: string,
    replicas: number,
    change: (object: NewObject<DeploymentObject>) => NewObject<DeploymentObject> = (same) => same,
  ): Promise<void> {
    await this.kube.create(deployments, change(deployment(name, replicas)));
  }

  async deleteDeployment(name: string): Promise<void> {
    await this.kube.delete(deployments, { namespace: 'default', name });
  }

  async applyBudget(name: string, spec: { readonly [field: string]: unknown }): Promise<void> {
    await this.kube.create(podDisruptionBudgets, {
      metadata: { name, namespace: 'default' },
      spec,
    });
  }

  /** Starts our controller, the production one, alone. An earlier one must have been stopped. */
  startKarpenter(settings: Partial<KarpenterSettings> = {}): Karpenter {
    this.#controller = this.#start({ clusterName, ...settings });
    return this.#controller.karpenter;
  }

  /** Starts one of several that stand for election. */
  startReplica(identity: string): Replica {
    const lease = { namespace: 'kube-system', name: 'karpenter-leader-election' };
    const replica = this.#start({ clusterName, leaderElection: { identity, ...lease } });
    return { karpenter: replica.karpenter, kill: () => replica.life.kill() };
  }

  #start(settings: KarpenterSettings): ControllerProcess {
    const number = ++this.#lives;
    const { process, metrics } = startProcess({
      clock: this.clock,
      random: fork(createSeededRandom(this.#seed), `karpenter-${number}`),
      region,
      settings,
      toKube: (request) => this.meddleKube(request, this.#world.kubeHandle, number),
      toAws: (request) => this.meddleAws(request, this.aws.handle, number),
      diary: this,
    });
    this.metrics = metrics;
    this.#running.push(process.life.outcomeOf(process.karpenter.done));
    return process;
  }

  /** The process is killed: not a single request of it is heard any more. */
  crash(): void {
    this.#controller?.life.kill();
    this.#controller = undefined;
  }

  /** The process is killed as soon as so many of its requests have changed something. */
  crashAfterEffects(count: number): void {
    this.#controller?.life.killAfter(count);
  }

  /** How many processes were started so far. */
  get lives(): number {
    return this.#lives;
  }

  isAlive(): boolean {
    return this.#controller?.life.isAlive() === true;
  }

  /** The process is asked to stop and does so in good order. */
  async stopKarpenter(): Promise<void> {
    const controller = this.#controller;
    this.#controller = undefined;
    controller?.life.stop();
    await this.clock.runFor(1_000);
    await controller?.karpenter.done;
  }

  get karpenter(): Karpenter {
    if (this.#controller === undefined) throw new Error('Karpenter is not running');
    return this.#controller.karpenter;
  }

  async runFor(ms: number): Promise<void> {
    await this.clock.runFor(ms);
  }

  /** Lets time pass until it is so; fails with a picture of the world when it never is. */
  async until(what: string, condition: () => boolean, limitMs = 600_000): Promise<void> {
    if (await this.clock.runUntil(condition, limitMs)) return;
    throw new Error(
      `after ${limitMs / 1_000} s it was still not so that ${what}\n${this.picture()}`,
    );
  }

  async untilRunning(count: number, limitMs?: number): Promise<void> {
    await this.until(`${count} pods run`, () => this.runningPods() === count, limitMs);
  }

  /** Nothing of ours is left in the cluster or in the cloud. */
  async untilNothingIsLeft(limitMs?: number): Promise<void> {
    await this.until(
      'nothing is left',
      () => this.claims().length === 0 && this.nodes().length === 0,
      limitMs,
    );
  }

  /** Pods in the namespace of the tests. */
  workloadPods(): readonly PodObject[] {
    return this.#census.workloadPods();
  }

  runningPods(): number {
    return this.#census.runningPods();
  }

  /** Nodes that Karpenter bought, or that joined and look so. */
  nodes(): readonly NodeObject[] {
    return this.#census.nodes();
  }

  claims(): readonly NodeClaim[] {
    return this.#census.claims();
  }

  sentences(code: Decision['code']): readonly string[] {
    return this.decisions
      .filter((decision) => decision.code === code)
      .map(({ sentence }) => sentence);
  }

  picture(): string {
    return pictureOf({
      claims: this.claims(),
      nodes: this.nodes(),
      pods: this.workloadPods(),
      decisions: this.decisions,
      errors: this.errors,
    });
  }

  /** Ends everything, and fails if a loop had broken. */
  async close(): Promise<void> {
    this.crash();
    await this.#world.close(this.#running);
  }
}

/** A seeded world, ready for stories. The caller closes it. */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const world = new TestWorld(options);
  await world.seed(options.isBare ?? false);
  return world;
}
