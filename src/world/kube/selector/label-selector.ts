import { meets } from '../../../core/cluster/label-selector.ts';
import { type Json, listAt, objectAt, textAt } from '../json.ts';
import { keyProblem, labelValueProblem } from '../rules/names.ts';
import { badRequest } from '../status/status.ts';

type Labels = Readonly<Record<string, string>> | undefined;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'GreaterThan' | 'LessThan';
  readonly values: readonly string[];
}

export type LabelSelector = readonly LabelRequirement[];

/** Whether the labels meet every requirement; a missing label meets `NotIn`. */
export function matchesLabels(selector: LabelSelector, labels: Labels): boolean {
  return selector.every((requirement) => holds(requirement, labels?.[requirement.key]));
}

function holds({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'GreaterThan':
      return /^-?\d+$/.test(value ?? '') && Number(value) > Number(values[0]);
    case 'LessThan':
      return /^-?\d+$/.test(value ?? '') && Number(value) < Number(values[0]);
    default:
      return meets({ operator, values }, value);
  }
}

const clause =
  /^\s*(?:(!)\s*([^\s,!=<>()]+)|([^\s,!=<>()]+)\s*(?:(==|=|!=|>|<)\s*([^\s,!=<>()]*)|(in|notin)\s*\(([^()]*)\))?)\s*(?:,|$)/;

/** Reads `a=b,c!=d,e in (f,g),!h`; throws a 400 for anything else. */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements: LabelRequirement[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const match = clause.exec(rest);
    if (match === null)
      throw badRequest(
        `unable to parse requirement: found '${rest}', expected: ',' or 'end of string'`,
      );
    requirements.push(requirementOf(match));
    rest = rest.slice(match[0].length);
  }
  return requirements;
}

function requirementOf(match: RegExpExecArray): LabelRequirement {
  const [, not, absent = '', key = '', sign, value = '', word, list = ''] = match;
  if (not !== undefined) return { key: checkedKey(absent), operator: 'DoesNotExist', values: [] };
  checkedKey(key);
  if (word !== undefined) {
    const values = list.split(',').map((one) => checkedValue(key, one.trim()));
    return { key, operator: word === 'in' ? 'In' : 'NotIn', values };
  }
  switch (sign) {
    case undefined:
      return { key, operator: 'Exists', values: [] };
    case '!=':
      return { key, operator: 'NotIn', values: [checkedValue(key, value)] };
    case '>':
      return { key, operator: 'GreaterThan', values: [value] };
    case '<':
      return { key, operator: 'LessThan', values: [value] };
    default:
      return { key, operator: 'In', values: [checkedValue(key, value)] };
  }
}

function checkedKey(key: string): string {
  const problem = keyProblem(key);
  if (problem === undefined) return key;
  throw badRequest(
    `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: ${problem}`,
  );
}

function checkedValue(key: string, value: string): string {
  const problem = labelValueProblem(value);
  if (problem === undefined) return value;
  throw badRequest(
    `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`,
  );
}

/**
 * The selector inside an object (`matchLabels`, `matchExpressions`). An absent selector selects
 * nothing and is undefined here; an empty one selects everything.
 */
export function selectorOf(selector: Json | undefined): LabelSelector | undefined {
  if (selector === undefined || selector === null) return undefined;
  const labels = objectAt(selector, 'matchLabels');
  const pairs = Object.entries(labels).map(
    ([key, value]): LabelRequirement => ({ key, operator: 'In', values: [String(value)] }),
  );
  return [...pairs, ...listAt(selector, 'matchExpressions').map(expressionOf)];
}

function expressionOf(expression: Json): LabelRequirement {
  const operator = textAt(expression, 'operator');
  const values = listAt(expression, 'values').map(String);
  const key = textAt(expression, 'key') ?? '';
  if (operator === 'In' || operator === 'NotIn') return { key, operator, values };
  return { key, operator: operator === 'Exists' ? 'Exists' : 'DoesNotExist', values: [] };
}
