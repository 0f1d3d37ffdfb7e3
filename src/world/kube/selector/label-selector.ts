import { isList, type Json, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
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
  return selector.every((requirement) => meets(requirement, labels?.[requirement.key]));
}

function meets({ operator, values }: LabelRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'GreaterThan':
      return /^-?\d+$/.test(value ?? '') && Number(value) > Number(values[0]);
    case 'LessThan':
      return /^-?\d+$/.test(value ?? '') && Number(value) < Number(values[0]);
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

const keyPattern = /^(?:[a-z0-9.-]{1,253}\/)?[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?$/;
const valuePattern = /^(?:[A-Za-z0-9](?:[\w.-]{0,61}[A-Za-z0-9])?)?$/;

function checkedKey(key: string): string {
  if (!keyPattern.test(key)) {
    throw badRequest(
      `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    );
  }
  return key;
}

function checkedValue(key: string, value: string): string {
  if (!valuePattern.test(value)) {
    throw badRequest(
      `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
    );
  }
  return value;
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

/** The selector as text, as `status.selector` of a Scale shows it. */
export function formatSelector(selector: JsonObject): string {
  const labels = objectAt(selector, 'matchLabels');
  const pairs = Object.keys(labels).map((key) => `${key}=${String(labels[key])}`);
  const expressions = listAt(selector, 'matchExpressions').map(formatExpression);
  return [...pairs, ...expressions].sort().join(',');
}

function formatExpression(expression: Json): string {
  const key = textAt(expression, 'key') ?? '';
  const values = valuesOf(expression).toSorted().join(',');
  switch (textAt(expression, 'operator')) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'Exists':
      return key;
    default:
      return `!${key}`;
  }
}

function valuesOf(expression: Json): readonly string[] {
  const values = objectAt(expression).values;
  return isList(values) ? values.map(String) : [];
}
