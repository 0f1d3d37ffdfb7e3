import type { VolumeClaimObject } from '../../api/kubernetes/volume.ts';
import { keyOf } from '../../api/resource.ts';
import type { Informers } from './informers.ts';
import type { Place } from './ledger.ts';

/**
 * Which Nodes and claims have to be looked at again, gathered from what the informers tell, so
 * that of thousands of nodes a new pod touches one.
 */
export class DirtyPlaces {
  readonly #informers: Informers;
  readonly #nodes = new Set<string>();
  readonly #claims = new Set<string>();
  #isAllMarked = false;

  constructor(informers: Informers) {
    this.#informers = informers;
    this.#followNodes();
    this.#followPods();
    this.#followServices();
  }

  mark(place: Place): void {
    (place.kind === 'claim' ? this.#claims : this.#nodes).add(place.name);
  }

  markAll(): void {
    for (const { metadata } of this.#informers.nodeClaims.list()) this.#claims.add(metadata.name);
    for (const { metadata } of this.#informers.nodes.list()) this.#nodes.add(metadata.name);
  }

  /** Hands the next of them over, which counts as looked at from now on; undefined for none. */
  take(): Place | undefined {
    if (this.#isAllMarked) this.markAll();
    this.#isAllMarked = false;
    return takeFrom(this.#nodes, 'node') ?? takeFrom(this.#claims, 'claim');
  }

  #followNodes(): void {
    const { nodes, nodeClaims, csiNodes } = this.#informers;
    nodes.onChange(({ object, previous }) => {
      this.#nodes.add(object.metadata.name);
      for (const id of [object.spec?.providerID, previous?.spec?.providerID])
        for (const claim of nodeClaims.by('provider-id', id ?? ''))
          this.#claims.add(claim.metadata.name);
    });
    nodeClaims.onChange(({ object, previous }) => {
      this.#claims.add(object.metadata.name);
      for (const id of [object.status?.providerID, previous?.status?.providerID])
        for (const node of nodes.by('provider-id', id ?? '')) this.#nodes.add(node.metadata.name);
    });
    csiNodes.onChange(({ object }) => this.#nodes.add(object.metadata.name));
  }

  #followPods(): void {
    const { pods, volumeClaims, volumes, storageClasses } = this.#informers;
    pods.onChange(({ object, previous }) => {
      this.#markNodeNamed(object.spec.nodeName);
      this.#markNodeNamed(previous?.spec.nodeName);
    });
    volumeClaims.onChange(({ object }) => this.#markPodsOf(object));
    volumes.onChange(({ object }) => {
      for (const claim of volumeClaims.by('volume', object.metadata.name)) this.#markPodsOf(claim);
    });
    storageClasses.onChange(({ object }) => {
      for (const claim of volumeClaims.by('class', object.metadata.name)) this.#markPodsOf(claim);
    });
  }

  /** Who belongs together may have changed for every pod of the namespace. */
  #followServices(): void {
    const { pods, services } = this.#informers;
    services?.onChange(({ object }) => {
      // The first list may be long; it is cheaper to look at everything once than at each in turn.
      if (!services.isSynced()) this.#isAllMarked = true;
      else
        for (const pod of pods.by('namespace', object.metadata.namespace ?? ''))
          this.#markNodeNamed(pod.spec.nodeName);
    });
  }

  #markPodsOf(claim: VolumeClaimObject): void {
    for (const pod of this.#informers.pods.by('claim', keyOf(claim)))
      this.#markNodeNamed(pod.spec.nodeName);
  }

  #markNodeNamed(name: string | undefined): void {
    if (name !== undefined && name !== '') this.#nodes.add(name);
  }
}

function takeFrom(names: Set<string>, kind: Place['kind']): Place | undefined {
  for (const name of names) {
    names.delete(name);
    return { kind, name };
  }
  return undefined;
}
