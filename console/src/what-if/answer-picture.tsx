import type { JSX } from 'preact';
import type { NodeView } from '../../../src/server/view.ts';
import { NodeBox } from '../node-box.tsx';
import { measureOf } from '../node-picture.ts';
import { scale } from '../state.ts';
import type { Answer } from './answer.ts';

const mostBoxes = 24;

export interface AnswerProps {
  readonly answer: Answer;
  /** The nodes as they were when the answer came: later ones may have got the pods in truth. */
  readonly nodes: readonly NodeView[];
}

interface Box {
  readonly node: NodeView;
  readonly comers: number;
  readonly isImagined: boolean;
}

/** The nodes that would get pods: those that were there (`nodes`), then those that would be bought. */
export function AnswerPicture(props: AnswerProps): JSX.Element | null {
  const { answer, nodes } = props;
  const boxes = boxesOf(answer, nodes);
  if (boxes.length === 0) return null;
  const shown = boxes.slice(0, mostBoxes);
  const all = [...nodes, ...shown.map(({ node }) => node)];
  const largest = Math.max(...all.map((node) => measureOf(node, scale.value)));
  const amount = answer.places.length + answer.purchases.reduce((sum, { count }) => sum + count, 0);
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
        {amount > shown.length && <p class="empty">and {amount - shown.length} more</p>}
      </div>
    </>
  );
}

/** Few of those that are there, so that the new ones are seen. */
const mostPlaces = 12;

function boxesOf({ places, newNodes }: Answer, nodes: readonly NodeView[]): readonly Box[] {
  const known = new Map(nodes.map((node) => [node.name, node]));
  const here = places.slice(0, mostPlaces).flatMap(({ nodeName, pods }): Box[] => {
    const node = known.get(nodeName);
    if (node === undefined) return [];
    const comers = pods.length;
    return [{ node: { ...node, pods: [...node.pods, ...pods] }, comers, isImagined: false }];
  });
  const bought = newNodes.map((node) => ({ node, comers: node.comers, isImagined: true }));
  return [...here, ...bought];
}
