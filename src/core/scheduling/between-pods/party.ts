import type { Pod } from '../../cluster/pod.ts';
import type { PodClass } from '../../cluster/pod-class.ts';
import type { Resources } from '../../quantity/resources.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { withVolumes } from '../assigning/ladder.ts';

/** Pods with the same rules, whatever their size: there are far fewer than classes. */
export interface Party {
  /** Any of the pods: they do not differ in what they tolerate and want. */
  readonly sample: Pod;
  /** What they want of a node's labels; any one suffices. */
  readonly wanted: readonly Requirements[];
  /** What they ask for, mostly the smallest first. */
  readonly requests: ReadonlySet<Resources>;
}

/** Classes come in order of size: the parties with the smallest pods come first. */
export function partiesOf(
  classes: readonly Pick<PodClass, 'rules' | 'sample'>[],
): readonly Party[] {
  const parties = new Map<string, Party & { readonly requests: Set<Resources> }>();
  for (const { rules, sample } of classes.toReversed()) {
    const known = parties.get(rules);
    if (known !== undefined) known.requests.add(sample.requests);
    else {
      const wanted = withVolumes(sample.nodeAlternatives, sample);
      parties.set(rules, { sample, wanted, requests: new Set([sample.requests]) });
    }
  }
  return [...parties.values()];
}
