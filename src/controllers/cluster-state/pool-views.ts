import { decodePool } from '../../api/decode/pool.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { conditionOf } from '../../api/resource.ts';
import type { InstanceType } from '../../core/catalog/instance-type.ts';
import type { OverlaidPool } from '../../core/catalog/overlay.ts';
import type { Pool } from '../../core/cluster/snapshot.ts';
import type { OverlayBook } from '../overlay/overlay-book.ts';
import type { Informers } from './informers.ts';
import type { InstanceTypeBook } from './instance-type-book.ts';
import { isSameList, isSameValue } from './same-value.ts';

interface Kept {
  readonly object: NodePool;
  readonly instanceTypes: readonly InstanceType[];
  readonly notReady: string | undefined;
  readonly pool: Pool;
}

export interface PoolViewParts {
  readonly informers: Informers;
  readonly types: InstanceTypeBook;
  readonly overlays: OverlayBook;
}

/** Pools as decisions see them; a pool is the same value until something it is made from changes. */
export class PoolViews {
  readonly #informers: Informers;
  readonly #types: InstanceTypeBook;
  readonly #overlays: OverlayBook;
  #kept = new Map<string, Kept>();
  #list: readonly Pool[] = [];
  #typesVersion = 0;

  constructor({ informers, types, overlays }: PoolViewParts) {
    this.#informers = informers;
    this.#types = types;
    this.#overlays = overlays;
  }

  /** Rises when what some pool may launch has changed since the list before. */
  get typesVersion(): number {
    return this.#typesVersion;
  }

  /** What the pool may launch, overlays included; undefined where there is no such pool. */
  typesOf(poolName: string): readonly InstanceType[] | undefined {
    return this.#kept.get(poolName)?.instanceTypes;
  }

  /** All of them in order of name; the same array until one changes. */
  list(): readonly Pool[] {
    const objects = this.#informers.nodePools.list();
    const typesByPool = this.#overlays.apply(objects.map((object) => this.#launchable(object)));
    const kept = new Map<string, Kept>();
    for (const object of objects) {
      const { name } = object.metadata;
      const view = this.#view(object, typesByPool.get(name) ?? []);
      if (this.#kept.get(name)?.instanceTypes !== view.instanceTypes) this.#typesVersion++;
      kept.set(name, view);
    }
    this.#kept = kept;
    const pools = [...kept.values()].map(({ pool }) => pool);
    if (!isSameList(this.#list, pools)) this.#list = pools;
    return this.#list;
  }

  #launchable({ metadata, spec }: NodePool): OverlaidPool {
    const { template } = spec;
    return {
      name: metadata.name,
      labels: template.metadata?.labels ?? {},
      instanceTypes: this.#types.of(template.spec.nodeClassRef.name),
    };
  }

  #view(object: NodePool, instanceTypes: readonly InstanceType[]): Kept {
    const { name } = object.spec.template.spec.nodeClassRef;
    const notReady = this.#whyClassNotReady(name);
    const before = this.#kept.get(object.metadata.name);
    const isSame =
      before?.object === object &&
      before.instanceTypes === instanceTypes &&
      before.notReady === notReady;
    if (isSame) return before;
    const pool = poolOf(object, instanceTypes, notReady);
    const isEqual = before?.instanceTypes === instanceTypes && isSameValue(before.pool, pool);
    return { object, instanceTypes, notReady, pool: isEqual ? before.pool : pool };
  }

  #whyClassNotReady(name: string): string | undefined {
    const nodeClass = this.#informers.nodeClasses.get(name);
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
    const why = this.#types.whyUnknown(name);
    return why === undefined ? undefined : `its instance types are not known: ${why}`;
  }
}

function poolOf(
  object: NodePool,
  instanceTypes: readonly InstanceType[],
  notReady: string | undefined,
): Pool {
  const decoded = decodePool(object, { instanceTypes, notReady });
  // That its class is not ready is all that the pool says of it; the class itself knows why.
  const isFaultOfClass = conditionOf(object, 'NodeClassReady')?.status === 'False';
  return notReady !== undefined && isFaultOfClass ? { ...decoded, notReady } : decoded;
}

/** What the first condition that failed says; those that only wait for it say nothing new. */
function faultOf({ status }: EC2NodeClass): string | undefined {
  return (status?.conditions ?? []).find(
    (one) =>
      one.status === 'False' && one.type !== 'Ready' && one.reason !== 'DependenciesNotReady',
  )?.message;
}
