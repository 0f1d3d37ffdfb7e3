import type { JSX } from 'preact';
import type { NodeGroup } from '../../../src/core/explain/node-groups.ts';
import { count, shortList } from '../../../src/core/explain/words.ts';
import { usdPerHour, usdPerMonth } from '../format.ts';
import { Reasons } from '../reasons.tsx';
import type { Answer, RefusedView } from './answer.ts';
import { AnswerPicture, type AnswerProps } from './answer-picture.tsx';
import { countsOf } from './headline.tsx';

const hoursPerMonth = 730;

/** What would be: in numbers, as a picture, what is bought, and why not. */
export function AnswerView({ answer, nodes }: AnswerProps): JSX.Element {
  return (
    <>
      <Tiles answer={answer} />
      <AnswerPicture answer={answer} nodes={nodes} />
      {answer.purchases.length > 0 && (
        <ul class="purchases">
          {answer.purchases.map((purchase) => (
            <Purchase key={JSON.stringify(purchase)} purchase={purchase} />
          ))}
        </ul>
      )}
      {answer.refused.length > 0 && (
        <ul class="pending">
          {answer.refused.map((refused) => (
            <Refused key={refused.sentence} refused={refused} />
          ))}
        </ul>
      )}
      {answer.notes.length > 0 && (
        <ul class="notes">
          {answer.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Tiles({ answer }: { answer: Answer }): JSX.Element {
  const { here, bought, refused } = countsOf(answer);
  const { before, after } = answer.usdPerHour;
  const tiles: readonly (readonly [string, string, string])[] = [
    ['on nodes there', String(here), ''],
    ['on new nodes', String(bought), ''],
    ['without a place', String(refused), refused > 0 ? 'attention' : ''],
    ['per hour', `${usdPerHour(before)} → ${usdPerHour(after)}`.replaceAll('/h', ''), 'money'],
    ['per month', `${monthly(before)} → ${monthly(after)}`, 'money'],
    ['change', changeText(after - before), changeKind(after - before)],
  ];
  return (
    <dl class="totals">
      {tiles.map(([name, value, kind]) => (
        <div key={name} class={kind}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function monthly(perHour: number): string {
  return usdPerMonth(perHour * hoursPerMonth);
}

/** Less than prices are told to. */
const hardlyUsd = 0.000_05;

function changeKind(change: number): string {
  if (Math.abs(change) < hardlyUsd) return '';
  return change > 0 ? 'attention' : 'good';
}

function changeText(change: number): string {
  if (Math.abs(change) < hardlyUsd) return 'none';
  return `${change > 0 ? '+' : '−'}${usdPerHour(Math.abs(change))}`;
}

function Purchase({ purchase }: { purchase: NodeGroup }): JSX.Element {
  const { count: nodes, instanceType, capacityType, zones, nodePool, instanceTypes } = purchase;
  const choice =
    instanceTypes === 1
      ? 'no other type'
      : `${instanceTypes} types allowed, ${usdPerHour(purchase.usdPerHourAtMost)} at most`;
  return (
    <li>
      <strong>
        {nodes} × {instanceType}
      </strong>{' '}
      <span>
        {capacityType}, {zones.join(', ')}, {usdPerHour(purchase.usdPerHour)}
        {nodes > 1 ? ' each' : ''}, {count(purchase.pods, 'pod')}
      </span>
      <small>
        {nodePool}: {choice}
      </small>
    </li>
  );
}

function Refused({ refused }: { refused: RefusedView }): JSX.Element {
  const { names, sentence, reason } = refused;
  return (
    <li class="refused">
      <strong>{refused.count} × </strong>
      {sentence}
      <Reasons reason={reason} />
      <small>{shortList(names, 3)}</small>
    </li>
  );
}
