import { factsOf } from './node-facts.ts';
import type { Pod } from './pod.ts';
import type { Node } from './snapshot.ts';

/** A place whose volumes are counted where its node says how many it can attach. */
interface Place {
  readonly node?: Node | undefined;
}

/** Volumes of pods put onto places, on top of those attached to the node already. */
export class Attachments {
  readonly #added = new Map<Place, Map<string, readonly string[]>>();

  /** Whether the pod's volumes can be attached beside those that are there. */
  canAttach(pod: Pod, place: Place): boolean {
    const limits = place.node?.attachLimits;
    const wanted = pod.volumes?.attachments;
    if (place.node === undefined || limits === undefined || wanted === undefined) return true;
    const { attached } = factsOf(place.node);
    return Object.entries(wanted).every(([driver, volumes]) => {
      const limit = limits[driver];
      if (limit === undefined) return true;
      const all = new Set([
        ...(attached.get(driver) ?? []),
        ...(this.#added.get(place)?.get(driver) ?? []),
      ]);
      const before = all.size;
      for (const volume of volumes) all.add(volume);
      return all.size <= limit || all.size === before;
    });
  }

  attach(pod: Pod, place: Place): void {
    if (place.node?.attachLimits === undefined) return;
    const own = this.#added.get(place) ?? new Map<string, readonly string[]>();
    for (const [driver, volumes] of Object.entries(pod.volumes?.attachments ?? {}))
      own.set(driver, [...(own.get(driver) ?? []), ...volumes]);
    this.#added.set(place, own);
  }

  /** Takes back what `attach` added for the pod. */
  detach(pod: Pod, place: Place): void {
    const own = this.#added.get(place);
    if (own === undefined) return;
    for (const [driver, volumes] of Object.entries(pod.volumes?.attachments ?? {})) {
      const rest = [...(own.get(driver) ?? [])];
      for (const volume of volumes) rest.splice(rest.lastIndexOf(volume), 1);
      own.set(driver, rest);
    }
  }
}
