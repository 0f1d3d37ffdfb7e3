import { compareText } from '../../../core/text-order.ts';
import { type Json, listAt, objectAt, textAt } from '../json.ts';

/** A LabelSelector in the notation of `--selector`; empty when it names nothing. */
export function selectorText(selector: Json | undefined): string {
  const equalities = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => ({
    key,
    text: `${key}=${value}`,
  }));
  const expressions = listAt(selector, 'matchExpressions').map((expression) => ({
    key: textAt(expression, 'key') ?? '',
    text: expressionText(expression),
  }));
  return [...equalities, ...expressions]
    .sort((a, b) => compareText(a.key, b.key))
    .map((requirement) => requirement.text)
    .join(',');
}

function expressionText(expression: Json | undefined): string {
  const key = textAt(expression, 'key') ?? '';
  const values = listAt(expression, 'values').map(String).sort().join(',');
  switch (textAt(expression, 'operator')) {
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
