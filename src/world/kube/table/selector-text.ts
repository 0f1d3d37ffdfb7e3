import { type Json, listAt, objectAt } from '../json.ts';
import { wordAt } from './reading.ts';

/** `a=1,b=2` in the order of the keys; `<none>` without any. */
export function labelsText(labels: Json | undefined): string {
  const pairs = Object.entries(objectAt(labels)).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? '<none>' : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}

/** A LabelSelector in the notation of `--selector`; empty when it names nothing. */
export function selectorText(selector: Json | undefined): string {
  const equalities = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const expressions = listAt(selector, 'matchExpressions').map((expression) => ({
    key: wordAt(expression, 'key'),
    text: expressionText(expression),
  }));
  return [...equalities, ...expressions]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map((requirement) => requirement.text)
    .join(',');
}

function expressionText(expression: Json | undefined): string {
  const key = wordAt(expression, 'key');
  const values = listAt(expression, 'values').map(String).sort().join(',');
  switch (wordAt(expression, 'operator')) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}
