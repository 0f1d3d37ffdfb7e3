import { decodePod, type PodContext } from '../../api/decode/pod.ts';
import { PodMemory } from '../../api/decode/pod-memory.ts';
import { claimNames, type VolumeLookups } from '../../api/decode/volumes.ts';
import type { PodObject, ServiceObject } from '../../api/kubernetes/core.ts';
import { keyOf } from '../../api/resource.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Informers } from './informers.ts';
import { isSameList, isSameValue } from './same-value.ts';

interface Kept {
  readonly object: PodObject;
  readonly claims: readonly string[];
  /** The objects behind its volumes when it was decoded. */
  readonly behind: readonly unknown[];
  /** The Services of its namespace then. */
  readonly services: readonly unknown[];
  readonly pod: Pod;
}

const none: readonly unknown[] = [];
const noServices: readonly ServiceObject[] = [];

/**
 * Pods as decisions see them, each decoded again only when it, something behind its volumes or a
 * Service of its namespace changed. A change that decides nothing, as most changes of a status,
 * leaves the same value.
 */
export class PodViews {
  readonly #informers: Informers;
  readonly #lookups: VolumeLookups;
  readonly #context: PodContext;
  readonly #kept = new Map<string, Kept>();
  #decodings = 0;

  constructor(informers: Informers, context: Omit<PodContext, 'volumes' | 'servicesIn'> = {}) {
    this.#informers = informers;
    this.#lookups = {
      claim: (namespace, name) => informers.volumeClaims.get(`${namespace}/${name}`),
      volume: (name) => informers.volumes.get(name),
      storageClass: (name) => informers.storageClasses.get(name),
    };
    const memory = new PodMemory();
    const servicesIn = (namespace: string) => this.#servicesIn(namespace);
    this.#context = { memory, ...context, volumes: this.#lookups, servicesIn };
    informers.pods.onChange(({ type, object }) => {
      if (type === 'deleted') this.#kept.delete(keyOf(object));
    });
  }

  /** How many pods have been decoded so far, for those who watch over the work. */
  get decodings(): number {
    return this.#decodings;
  }

  readonly of = (object: PodObject): Pod => {
    const key = keyOf(object);
    const known = this.#kept.get(key);
    if (known?.object === object && this.#isUpToDate(known)) return known.pod;
    const kept = this.#decode(object, known);
    // An object that the informer has overtaken is answered, and not kept.
    if (this.#informers.pods.get(key) === object) this.#kept.set(key, kept);
    return kept.pod;
  };

  #decode(object: PodObject, known: Kept | undefined): Kept {
    this.#decodings++;
    const claims = claimNames(object);
    const behind = this.#behind(object, claims);
    const services = this.#servicesIn(object.metadata.namespace ?? '');
    const pod = decodePod(object, this.#context);
    const isSame = known !== undefined && isSameValue(known.pod, pod);
    return { object, claims, behind, services, pod: isSame ? known.pod : pod };
  }

  #isUpToDate({ object, claims, behind, services }: Kept): boolean {
    const isSameVolumes = claims.length === 0 || isSameList(behind, this.#behind(object, claims));
    return isSameVolumes && isSameList(services, this.#servicesIn(object.metadata.namespace ?? ''));
  }

  #servicesIn(namespace: string): readonly ServiceObject[] {
    return this.#informers.services?.by('namespace', namespace) ?? noServices;
  }

  #behind(object: PodObject, claims: readonly string[]): readonly unknown[] {
    if (claims.length === 0) return none;
    return claims.flatMap((name) => {
      const claim = this.#lookups.claim(object.metadata.namespace ?? '', name);
      const volume = this.#lookups.volume(claim?.spec?.volumeName ?? '');
      const className = volume?.spec?.storageClassName ?? claim?.spec?.storageClassName ?? '';
      return [claim, volume, this.#lookups.storageClass(className)];
    });
  }
}
