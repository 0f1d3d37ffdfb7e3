import type { JSX } from 'preact';
import type { NodeView } from '../../../src/server/view.ts';
import { NodeBox } from '../node-box.tsx';
import { measureOf } from '../node-picture.ts';
import { scale, view } from '../state.ts';
import type { Answer } from './answer.ts';

const mostBoxes = 24;

interface Box {
  readonly node: NodeView;
  readonly comers: number;
  readonly isImagined: boolean;
}

/** The nodes that would get pods: those that are there, then those that would be bought. */
export function AnswerPicture({ answer }: { answer: Answer }): JSX.Element | null {
  const boxes = boxesOf(answer);
  if (boxes.length === 0) return null;
  const shown = boxes.slice(0, mostBoxes);
  const all = [...(view.value?.nodes ?? []), ...shown.map(({ node }) => node)];
  const largest = Math.max(...all.map((node) => measureOf(node, scale.value)));
  const nodes = answer.places.length + answer.purchases.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <p class="legend">
        <i /> the pods in question{' '}
        {answer.newNodes.length > 0 && <span>Dashed boxes would be bought.</span>}
      </p>
      <div class="nodes">
        {shown.map(({ node, comers, isImagined }) => (
          <NodeBox
            key={node.name}
            node={node}
            scale={scale.value}
            largest={largest}
            comers={comers}
            isImagined={isImagined}
          />
        ))}
        {nodes > shown.length && <p class="empty">and {nodes - shown.length} more</p>}
      </div>
    </>
  );
}

/** Few of those that are there, so that the new ones are seen. */
const mostPlaces = 12;

function boxesOf({ places, newNodes }: Answer): readonly Box[] {
  const known = new Map(view.value?.nodes.map((node) => [node.name, node]));
  const here = places.slice(0, mostPlaces).flatMap(({ nodeName, pods }): Box[] => {
    const node = known.get(nodeName);
    if (node === undefined) return [];
    const comers = pods.length;
    return [{ node: { ...node, pods: [...node.pods, ...pods] }, comers, isImagined: false }];
  });
  const bought = newNodes.map((node) => {
    const comers = node.pods.filter(({ isDaemon }) => !isDaemon).length;
    return { node, comers, isImagined: true };
  });
  return [...here, ...bought];
}
