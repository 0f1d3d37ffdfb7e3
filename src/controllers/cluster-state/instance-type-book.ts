import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import { isTrue } from '../../api/resource.ts';
import type { InstanceType } from '../../core/catalog/instance-type.ts';
import type { CloudProvider } from '../../ports/cloud-provider.ts';
import type { Log } from '../../ports/log.ts';
import type { Informer } from '../../runtime/informer.ts';

export interface InstanceTypeBookOptions {
  readonly cloud: CloudProvider;
  readonly log: Log;
  readonly nodeClasses: Informer<EC2NodeClass>;
}

/**
 * What each node class could launch when the cloud was last asked. Decisions read it without
 * waiting; whoever is about to decide refreshes it first.
 */
export class InstanceTypeBook {
  readonly #options: InstanceTypeBookOptions;
  readonly #types = new Map<string, readonly InstanceType[]>();
  readonly #failures = new Map<string, string>();
  #version = 0;

  constructor(options: InstanceTypeBookOptions) {
    this.#options = options;
  }

  /** Rises when an answer differs from the one before. */
  get version(): number {
    return this.#version;
  }

  /** How many classes something is known of, be it why nothing is. */
  get size(): number {
    return new Set([...this.#types.keys(), ...this.#failures.keys()]).size;
  }

  of(nodeClassName: string): readonly InstanceType[] {
    return this.#types.get(nodeClassName) ?? none;
  }

  /** Why nothing is known of the class; undefined where something is, or nobody has asked yet. */
  whyUnknown(nodeClassName: string): string | undefined {
    return this.of(nodeClassName).length > 0 ? undefined : this.#failures.get(nodeClassName);
  }

  /** The types of the first class, by name, that knows any: for the prices of nodes of no class. */
  any(): readonly InstanceType[] {
    const names = [...this.#types.keys()].sort();
    return names.map((name) => this.of(name)).find((types) => types.length > 0) ?? none;
  }

  /** Asks the cloud about every ready node class. A class that cannot be told keeps its last answer. */
  async refresh(): Promise<void> {
    const nodeClasses = this.#options.nodeClasses.list();
    const names = new Set(nodeClasses.map((nodeClass) => nodeClass.metadata.name));
    for (const name of [...this.#types.keys(), ...this.#failures.keys()])
      if (!names.has(name)) this.#forget(name);
    for (const nodeClass of nodeClasses) {
      if (isTrue(nodeClass, 'Ready')) await this.#ask(nodeClass);
    }
  }

  async #ask(nodeClass: EC2NodeClass): Promise<void> {
    const { name } = nodeClass.metadata;
    try {
      this.#set(name, await this.#options.cloud.instanceTypes(nodeClass));
      this.#failures.delete(name);
    } catch (error) {
      // Yesterday's catalogue serves better than none, and the next pass asks again.
      this.#failed(name, error instanceof Error ? error.message : String(error));
      this.#options.log.error('listing instance types failed', { EC2NodeClass: name, error });
    }
  }

  #forget(name: string): void {
    this.#failures.delete(name);
    if (this.#types.delete(name)) this.#version++;
  }

  #failed(name: string, message: string): void {
    if (this.#failures.get(name) !== message) this.#version++;
    this.#failures.set(name, message);
  }

  #set(name: string, types: readonly InstanceType[]): void {
    if (this.#types.get(name) === types) return;
    this.#types.set(name, types);
    this.#version++;
  }
}

const none: readonly InstanceType[] = [];
