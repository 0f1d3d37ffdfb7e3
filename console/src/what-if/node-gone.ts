import { isProtected, isReschedulable, type Pod } from '../../../src/core/cluster/pod.ts';
import type { Node } from '../../../src/core/cluster/snapshot.ts';
import { count, podsOf } from '../../../src/core/explain/words.ts';
import type { Question } from '../../../src/server/question.ts';
import type { Change } from './change.ts';

/** The node goes, whatever holds it: pods that come back look for a place, the others end with it. */
export function withoutNode({ snapshot, pods }: Question, name: string): Change | undefined {
  const gone = snapshot.nodes.find((node) => node.name === name);
  if (gone === undefined) return undefined;
  const bound = gone.isLeaving ? [] : gone.pods.filter(isReschedulable);
  // Whoever waits for a machine on order loses it as well; of a leaving one that has happened.
  const expected = new Set(gone.isLeaving ? [] : gone.reservedFor);
  const expectant = pods.filter(({ uid }) => expected.has(uid));
  const comers = [...bound, ...expectant];
  const asked = new Set(comers.map(({ uid }) => uid));
  const leaving = { ...gone, isLeaving: true, pods: bound };
  return {
    snapshot: {
      ...snapshot,
      nodes: snapshot.nodes.map((node) => (node === gone ? leaving : node)),
    },
    waiting: pods.filter(({ uid }) => !asked.has(uid)),
    comers,
    gone,
    notes: [...waitNotes(expectant), ...notesOf(gone, snapshot.atMs)],
  };
}

function waitNotes(expectant: readonly Pod[]): readonly string[] {
  if (expectant.length === 0) return [];
  return [`${podsOf(expectant)} that wait for it would need another place.`];
}

function notesOf(gone: Node, atMs: number): readonly string[] {
  if (gone.isLeaving) return ['It is leaving already: its pods are among those that wait.'];
  const daemons = gone.pods.filter(({ isDaemon }) => isDaemon).length;
  const held = gone.pods.filter((pod) => isReschedulable(pod) && isProtected(pod, atMs)).length;
  const bare = gone.pods.filter((pod) => isReschedulable(pod) && pod.owner === undefined).length;
  return [
    ...(daemons > 0 ? [`${count(daemons, 'daemon')} of the node would go with it.`] : []),
    ...(held > 0
      ? [
          `${count(held, 'pod')} must not be disrupted: Karpenter would not let the node go by itself.`,
        ]
      : []),
    ...(bare > 0
      ? [`${count(bare, 'pod')} of nobody's would not come back; they are placed all the same.`]
      : []),
    ...(gone.priceUsdPerHour === undefined
      ? ['What the node costs is not known, so that it counts as nothing.']
      : []),
  ];
}
