import { decodeDaemon } from '../../api/decode/pod.ts';
import type { DaemonSetObject, PodObject } from '../../api/kubernetes/core.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import { largest, type Resources } from '../../core/quantity/resources.ts';
import type { Informers } from './informers.ts';
import { isSameValue } from './same-value.ts';

interface Kept {
  readonly admitted: Resources | undefined;
  readonly daemon: Pod;
}

export interface DaemonViewParts {
  readonly informers: Pick<Informers, 'daemonSets' | 'pods'>;
  readonly podOf: (object: PodObject) => Pod;
}

/**
 * One pod per DaemonSet, as it would run on a new node. Whatever changes pods as they are made, be
 * it a LimitRange or somebody's webhook, is not in the template: where the latest pod of the set
 * asks for more, so will the next.
 */
export class DaemonViews {
  readonly #parts: DaemonViewParts;
  readonly #kept = new WeakMap<DaemonSetObject, Kept>();
  /** The latest pod by uid of its set; looked up anew where there is none. */
  readonly #latest = new Map<string, PodObject>();

  constructor(parts: DaemonViewParts) {
    this.#parts = parts;
    parts.informers.pods.onChange(({ type, object }) => {
      const [uid = ''] = daemonSetUids(object);
      const latest = this.#latest.get(uid);
      if (latest === undefined) return;
      const isLatest = latest.metadata.uid === object.metadata.uid;
      if (type === 'deleted' && isLatest) this.#latest.delete(uid);
      if (type !== 'deleted' && (isLatest || isLater(object, latest)))
        this.#latest.set(uid, object);
    });
  }

  list(): readonly Pod[] {
    return this.#parts.informers.daemonSets.list().map((object) => this.#of(object));
  }

  #of(object: DaemonSetObject): Pod {
    const latest = this.#latestOf(object.metadata.uid ?? '');
    const admitted = latest === undefined ? undefined : this.#parts.podOf(latest).requests;
    const known = this.#kept.get(object);
    if (known !== undefined && isSameValue(known.admitted, admitted)) return known.daemon;
    const daemon = decodeDaemon(object);
    const requests = largest(daemon.requests, admitted ?? daemon.requests);
    const kept = { admitted, daemon: { ...daemon, requests } };
    this.#kept.set(object, kept);
    return kept.daemon;
  }

  #latestOf(uid: string): PodObject | undefined {
    const known = this.#latest.get(uid);
    if (known !== undefined) return known;
    const [first, ...others] = this.#parts.informers.pods.by('daemon-set', uid);
    if (first === undefined) return undefined;
    const latest = others.reduce((a, b) => (isLater(b, a) ? b : a), first);
    this.#latest.set(uid, latest);
    return latest;
  }
}

/** The set that made the pod, if one did. */
export function daemonSetUids({ metadata }: PodObject): readonly string[] {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner?.kind === 'DaemonSet' && owner.uid !== '' ? [owner.uid] : [];
}

/** By the time they were made, then by name, so that the answer does not depend on the order. */
function isLater(a: PodObject, b: PodObject): boolean {
  const [madeA = '', madeB = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return madeA === madeB ? a.metadata.name > b.metadata.name : madeA > madeB;
}
