import type { JSX } from 'preact';
import { count } from '../../../src/core/explain/words.ts';
import { clockTime } from '../format.ts';
import type { Answer, Ask } from './answer.ts';

/** What was asked, and the answer in a sentence. */
export function Headline(props: { ask: Ask | undefined; answer: Answer }): JSX.Element {
  const { ask, answer } = props;
  return (
    <>
      <h3>{ask?.kind === 'node' ? `If ${ask.name} went` : 'If this were applied'}</h3>
      <p class="summary">
        {answer.pods === 0 ? nobody(ask) : summaryOf(answer)}{' '}
        <small>at {clockTime(answer.atMs)}</small>
      </p>
    </>
  );
}

function nobody(ask: Ask | undefined): string {
  return `No pod would need ${ask?.kind === 'node' ? 'another' : 'a'} place.`;
}

interface Counts {
  readonly here: number;
  readonly bought: number;
  readonly refused: number;
}

export function countsOf({ places, purchases, refused }: Answer): Counts {
  return {
    here: places.reduce((sum, { pods }) => sum + pods.length, 0),
    bought: purchases.reduce((sum, { pods }) => sum + pods, 0),
    refused: refused.reduce((sum, group) => sum + group.count, 0),
  };
}

/** `6 pods: 2 would go to 1 node that is there, 4 to 1 new node.` */
function summaryOf(answer: Answer): string {
  const { here, bought, refused } = countsOf(answer);
  const newNodes = answer.purchases.reduce((sum, group) => sum + group.count, 0);
  const places: readonly (readonly [number, string])[] = [
    [here, existing(answer.places.length)],
    [bought, count(newNodes, 'new node')],
  ];
  const taken = places.filter(([pods]) => pods > 0);
  const going = taken.map(
    ([pods, place], index) => `${pods}${index === 0 ? ' would go' : ''} to ${place}`,
  );
  const parts = refused > 0 ? [...going, `${refused} would find no place`] : going;
  if (parts.length > 1) return `${count(answer.pods, 'pod')}: ${parts.join(', ')}.`;
  return `${parts[0]?.replace(/^\d+/, count(answer.pods, 'pod'))}.`;
}

function existing(nodes: number): string {
  return nodes === 1 ? '1 node that is there' : `${nodes} nodes that are there`;
}
