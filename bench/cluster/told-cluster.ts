import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createJsonLog } from '../../src/adapters/system/json-log.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import { createSystemRandom } from '../../src/adapters/system/system-random.ts';
import type { KubeObject } from '../../src/api/resource.ts';
import { ClusterState } from '../../src/controllers/cluster-state/cluster-state.ts';
import { createInformers, type Informers } from '../../src/controllers/cluster-state/informers.ts';
import { InstanceTypeBook } from '../../src/controllers/cluster-state/instance-type-book.ts';
import { ReservationLedger } from '../../src/controllers/cluster-state/ledger.ts';
import type { InstanceType } from '../../src/core/catalog/instance-type.ts';
import type { Informer } from '../../src/runtime/informer.ts';
import type { Scenario } from './scenario.ts';

/** The controller's state of a cluster without a server: it knows what it is told, as by a watch. */
export class ToldCluster {
  readonly informers: Informers;
  readonly state: ClusterState;
  readonly #types: InstanceTypeBook;
  #version = 0;

  private constructor(instanceTypes: readonly InstanceType[]) {
    const clock = createSystemClock();
    const log = createJsonLog({
      clock,
      level: 'error',
      write: (line) => process.stderr.write(line),
    });
    const send = () => Promise.reject(new Error('there is no server here'));
    const kube = createKubeClient({ send, clock, log });
    this.informers = createInformers({ kube, clock, log, random: createSystemRandom() });
    const { nodeClasses } = this.informers;
    const cloud = { instanceTypes: async () => instanceTypes } as never;
    this.#types = new InstanceTypeBook({ cloud, log, nodeClasses });
    const ledger = new ReservationLedger(20_000);
    this.state = new ClusterState({ informers: this.informers, types: this.#types, ledger, clock });
  }

  /** Knows the scenario, and has looked at all of it once. */
  static async of(
    scenario: Scenario,
    instanceTypes: readonly InstanceType[],
  ): Promise<ToldCluster> {
    const cluster = new ToldCluster(instanceTypes);
    const { informers } = cluster;
    for (const pool of scenario.pools)
      cluster.tell(informers.nodeClasses, readyClass(pool.spec.template.spec.nodeClassRef.name));
    await cluster.#types.refresh();
    const tellAll = <T extends KubeObject>(informer: Informer<T>, objects: readonly T[]): void => {
      for (const object of objects) cluster.tell(informer, object);
    };
    tellAll(informers.nodePools, scenario.pools);
    tellAll(informers.namespaces, scenario.namespaces);
    tellAll(informers.daemonSets, scenario.daemonSets);
    tellAll(informers.storageClasses, scenario.storageClasses);
    tellAll(informers.volumes, scenario.volumes);
    tellAll(informers.volumeClaims, scenario.volumeClaims);
    tellAll(informers.csiNodes, scenario.csiNodes);
    tellAll(informers.nodeClaims, scenario.claims);
    tellAll(informers.nodes, scenario.nodes);
    tellAll(informers.pods, scenario.pods);
    cluster.state.snapshot();
    return cluster;
  }

  tell<T extends KubeObject>(informer: Informer<T>, object: T): void {
    const resourceVersion = String(++this.#version);
    informer.apply({ ...object, metadata: { ...object.metadata, resourceVersion } });
  }

  end<T extends KubeObject>(informer: Informer<T>, object: T): void {
    const metadata = { ...object.metadata, deletionTimestamp: '2026-01-02T00:00:00Z' };
    this.tell(informer, { ...object, metadata });
  }
}

function readyClass(name: string): never {
  const conditions = [{ type: 'Ready', status: 'True', observedGeneration: 1 }];
  return { metadata: { name, generation: 1 }, spec: {}, status: { conditions } } as never;
}
