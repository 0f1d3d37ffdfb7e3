import { podsAsked } from '../../../src/api/manifest/workload.ts';
import { textAt } from '../../../src/api/value.ts';
import { count } from '../../../src/core/explain/words.ts';
import { type PodMaker, podSpecOf } from './make-pods.ts';
import { titleOf, type Written } from './read-object.ts';

/** What a page cannot know of a workload, and what it therefore assumes, as sentences. */
export function notesOf(workload: Written, maker: PodMaker): readonly string[] {
  const { kind, object } = workload;
  const spec = podSpecOf(workload);
  const { priorityClassName = '', runtimeClassName } = spec as typeof spec & {
    readonly runtimeClassName?: string;
  };
  const makesVolumes = 'volumeClaimTemplates' in Object(object.spec);
  const sentences: readonly (readonly [boolean, string])[] = [
    [kind === 'CronJob' && podsAsked(object) > 0, 'these are the pods of one run'],
    [comeOneByOne(workload), 'its pods come one by one, and may be bought for one by one'],
    [
      hasClaims(workload) || makesVolumes,
      'its volumes are not known here; where they lie may leave fewer places, and attaching them takes room',
    ],
    [
      priorityClassName !== '' && !maker.knowsClass(priorityClassName),
      `no pod of the cluster has the PriorityClass ${priorityClassName}, so that its value is not known here and counts as 0`,
    ],
    [
      runtimeClassName !== undefined && spec.overhead === undefined,
      `what RuntimeClass ${runtimeClassName} adds to its pods is not known here`,
    ],
    [(spec.nodeName ?? '') !== '', 'it names its node, and is not placed by anybody'],
    [
      spec.schedulingGates !== undefined,
      `it waits behind ${count(spec.schedulingGates?.length ?? 0, 'scheduling gate')}; nothing is bought for it before they are gone`,
    ],
  ];
  return sentences
    .filter(([isTrue]) => isTrue)
    .map(([, sentence]) => `${titleOf(workload)}: ${sentence}.`);
}

function comeOneByOne({ kind, object }: Written): boolean {
  const isOrdered = textAt(object, ['spec', 'podManagementPolicy']) !== 'Parallel';
  return kind === 'StatefulSet' && isOrdered && podsAsked(object) > 1;
}

function hasClaims(workload: Written): boolean {
  const { volumes = [] } = podSpecOf(workload);
  return volumes.some(
    ({ persistentVolumeClaim, ephemeral }) => (persistentVolumeClaim ?? ephemeral) !== undefined,
  );
}
