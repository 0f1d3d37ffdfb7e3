import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { ruleErrors } from './rule-checks.ts';
import type { JsonSchema, ValidationRule } from './schema.ts';

/** What a rule on `spec` says, as `field: message`. */
function said(
  rule: ValidationRule,
  spec: Json,
  { old, properties = {} }: { old?: Json; properties?: JsonSchema['properties'] } = {},
): readonly string[] {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: properties ?? {}, 'x-kubernetes-validations': [rule] },
    },
  };
  const before: JsonObject | undefined = old === undefined ? undefined : { spec: old };
  return ruleErrors({ spec }, schema, before).map(({ field, message }) => `${field}: ${message}`);
}

const count: JsonSchema = { type: 'integer' };
const word: JsonSchema = { type: 'string' };

describe('a rule', () => {
  test('is silent where it holds and says its message where it does not', () => {
    const rule = { rule: 'self.a > 1', message: 'more, please' };
    expect(said(rule, { a: 2 }, { properties: { a: count } })).toEqual([]);
    expect(said(rule, { a: 1 }, { properties: { a: count } })).toEqual([
      'spec: Invalid value: more, please',
    ]);
  });

  test('without a message is told itself', () => {
    expect(said({ rule: 'false' }, {})).toEqual(['spec: Invalid value: failed rule: false']);
  });

  test('may compute its message, and falls back where that fails', () => {
    const computed = { rule: 'false', message: 'no', messageExpression: "'got ' + self.a" };
    expect(said(computed, { a: 'x' }, { properties: { a: word } })).toEqual([
      'spec: Invalid value: got x',
    ]);
    expect(said(computed, {}, { properties: { a: word } })).toEqual(['spec: Invalid value: no']);
  });

  test('may give a reason and blame a field below', () => {
    const rule = {
      rule: 'false',
      message: 'no',
      reason: 'FieldValueForbidden',
      fieldPath: '.a',
    } as const;
    expect(said(rule, {})).toEqual(['spec.a: Forbidden: no']);
  });

  test('that cannot be evaluated refuses, and says why', () => {
    const rule = { rule: 'self.a > 1', message: 'more' };
    expect(said(rule, {}, { properties: { a: count } })).toEqual([
      'spec: Invalid value: "object": no such key: a evaluating rule: more',
    ]);
  });

  test('that does not compile refuses', () => {
    expect(said({ rule: 'self.a >' }, {})[0]).toMatch(
      /^spec: Invalid value: "object": rule compile error: /,
    );
  });

  test('about the old value is asked only where there is one', () => {
    const rule = { rule: 'self.a == oldSelf.a', message: 'fixed' };
    const properties = { a: word };
    expect(said(rule, { a: 'x' }, { properties })).toEqual([]);
    expect(said(rule, { a: 'x' }, { properties, old: { a: 'x' } })).toEqual([]);
    expect(said(rule, { a: 'x' }, { properties, old: { a: 'y' } })).toEqual([
      'spec: Invalid value: fixed',
    ]);
  });

  test('about an optional old value is asked always', () => {
    const rule = { rule: 'oldSelf.hasValue()', message: 'new', optionalOldSelf: true };
    expect(said(rule, {})).toEqual(['spec: Invalid value: new']);
    expect(said(rule, {}, { old: {} })).toEqual([]);
  });

  test('that speaks of oldSelf in a text only is a plain rule', () => {
    expect(said({ rule: "'oldSelf' == ''", message: 'no' }, {})).toEqual([
      'spec: Invalid value: no',
    ]);
  });

  test('is not asked again about what an update leaves alone', () => {
    const rule = { rule: 'self.a > 1', message: 'more' };
    const properties = { a: count, b: count };
    expect(said(rule, { a: 1 }, { properties, old: { a: 1 } })).toEqual([]);
    expect(said(rule, { a: 1, b: 2 }, { properties, old: { a: 1 } })).toHaveLength(1);
  });

  test('does not see what the schema does not name', () => {
    expect(said({ rule: '!has(self.hidden)' }, { hidden: 1 })).toEqual([]);
  });

  test('names fields that are no identifiers by their escaped names', () => {
    const rule = { rule: 'self.a__dash__b == 1 && self.__in__ == 2' };
    expect(said(rule, { 'a-b': 1, in: 2 }, { properties: { 'a-b': count, in: count } })).toEqual(
      [],
    );
  });
});

describe('rules in depth', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          parts: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['name'],
            items: {
              type: 'object',
              properties: { name: word, size: count },
              'x-kubernetes-validations': [{ rule: 'self.size >= oldSelf.size', message: 'grow' }],
            },
          },
          labels: {
            type: 'object',
            additionalProperties: {
              type: 'string',
              'x-kubernetes-validations': [{ rule: "self != ''", message: 'empty' }],
            },
          },
        },
      },
    },
  };
  const errors = (spec: JsonObject, old?: JsonObject): readonly string[] =>
    ruleErrors({ spec }, schema, old && { spec: old }).map(
      ({ field, message }) => `${field}: ${message}`,
    );

  test('follow the items of a list by their keys, wherever they stand', () => {
    const old = {
      parts: [
        { name: 'a', size: 1 },
        { name: 'b', size: 5 },
      ],
    };
    const parts = [
      { name: 'b', size: 4 },
      { name: 'c', size: 0 },
      { name: 'a', size: 1 },
    ];
    expect(errors({ parts }, old)).toEqual(['spec.parts[0]: Invalid value: grow']);
  });

  test('name the entry of a map by its key', () => {
    expect(errors({ labels: { 'a.b/c': '' } })).toEqual([
      'spec.labels[a.b/c]: Invalid value: "": empty',
    ]);
  });
});

describe('functions', () => {
  test.each([
    "'a-1'.matches('^[a-z]-\\\\d$')",
    "'domain/name'.find('^[^/]+') == 'domain'",
    "'a1b22'.findAll('[0-9]+') == ['1', '22']",
    "int('+5') == 5 && int(2.9) == 2",
    "'a,b'.split(',')[1] == 'b' && ['a', 'b'].join('-') == 'a-b'",
    "'aXb'.replace('X', '-') == 'a-b' && 'ÄBc'.lowerAscii() == 'Äbc'",
    '[1, 2, 2].isSorted() && [1, 2].sum() == 3 && [3, 1].min() == 1 && [3, 1].max() == 3',
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').compareTo(quantity('0.5')) == 0",
    "isQuantity('1Gi') && !isQuantity('1Gib') && isURL('https://a.b/c') && !isURL('a')",
    "duration('1h') > duration('59m') && timestamp('2026-01-01T00:00:00Z') < timestamp('2027-01-01T00:00:00Z')",
    'self.?a.orValue(7) == 7',
    "cel.bind(x, 'y', x + x == 'yy')",
  ])('%s', (rule) => {
    expect(said({ rule }, {}, { properties: { a: count } })).toEqual([]);
  });

  test.each(['', ' 1', '0x1', '1.5', '1_000', '9223372036854775808'])(
    'int(%j) is no integer',
    (text) => {
      expect(said({ rule: `int('${text}') == 0`, message: 'm' }, {})).toEqual([
        `spec: Invalid value: "object": type conversion error from 'string' to 'int' evaluating rule: m`,
      ]);
    },
  );
});
