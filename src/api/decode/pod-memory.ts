import type { Pod, PodVolumes } from '../../core/cluster/pod.ts';
import { parseTime } from './duration.ts';
import { Likenesses } from './likeness.ts';
import type { PodRules } from './pod-rules.ts';
import type { DecodedResources } from './resources.ts';

/**
 * What was read of pods before. Pods that are read with one memory share their equal parts, so
 * that they are cheap to read and to keep, and whoever compares them need only compare identities.
 */
export class PodMemory {
  readonly labels = new Likenesses<Pod['labels']>();
  readonly requests = new Likenesses<DecodedResources>();
  readonly rules = new Likenesses<PodRules>();
  readonly places = new Likenesses<PodVolumes['alternatives']>();
  #lastTime: { readonly text: string; readonly ms: number | undefined } = {
    text: '',
    ms: undefined,
  };

  /** Pods come in batches that were made in the same second. */
  timeOf(text: string | undefined): number | undefined {
    if (text === undefined) return undefined;
    if (text !== this.#lastTime.text) this.#lastTime = { text, ms: parseTime(text) };
    return this.#lastTime.ms;
  }
}
