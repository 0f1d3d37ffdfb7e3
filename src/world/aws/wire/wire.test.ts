import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  child,
  children,
  fingerprint,
  overlay,
  parseParameters,
  text,
  texts,
} from './parameters.ts';
import { escapeXml, repeated, writeElement } from './xml.ts';

describe('query parameters', () => {
  test('nest along the dots, lists in the order of their numbers', () => {
    const parameters = parseParameters([
      ['Filter.10.Name', 'last'],
      ['Filter.2.Name', 'first'],
      ['Filter.2.Value.1', 'a'],
      ['Filter.2.Value.2', 'b'],
      ['Placement.Tenancy', 'default'],
    ]);
    const filters = children(parameters, 'Filter');
    expect(filters.map((filter) => text(filter, 'Name'))).toEqual(['first', 'last']);
    expect(filters[0] && texts(filters[0], 'Value')).toEqual(['a', 'b']);
    expect(text(child(parameters, 'Placement'), 'Tenancy')).toBe('default');
    expect(text(child(parameters, 'Nothing'), 'Tenancy')).toBeUndefined();
  });

  test('names of the language itself are names like any other', () => {
    const parameters = parseParameters([
      ['__proto__.polluted', 'yes'],
      ['constructor', 'x'],
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(text(parameters, 'toString')).toBeUndefined();
    expect(text(parameters, 'constructor')).toBe('x');
  });

  test('the fingerprint does not depend on the order, and on nothing that is ignored', () => {
    const pair = fc.tuple(fc.constantFrom('A', 'B.1', 'B.2', 'C.D'), fc.constantFrom('1', '2'));
    const pairs = fc.uniqueArray(pair, { selector: ([name]) => name, minLength: 1 });
    const print = (list: readonly (readonly [string, string])[]): string =>
      fingerprint(parseParameters(list), new Set(['ClientToken']));
    fc.assert(
      fc.property(pairs, (list) => {
        expect(print([...list, ['ClientToken', 'x']])).toBe(print(list.toReversed()));
        const changed = list.map(
          ([name, value], index) => [name, index === 0 ? `${value}!` : value] as const,
        );
        expect(print(changed)).not.toBe(print(list));
      }),
    );
  });

  test('laying one structure over another merges structures and replaces lists', () => {
    const merged = overlay(
      parseParameters([
        ['A.X', '1'],
        ['A.Y', '1'],
        ['L.1', 'a'],
        ['L.2', 'b'],
        ['K', 'kept'],
      ]),
      parseParameters([
        ['A.X', '2'],
        ['L.1', 'c'],
      ]),
    );
    expect(text(child(merged, 'A'), 'X')).toBe('2');
    expect(text(child(merged, 'A'), 'Y')).toBe('1');
    expect(texts(merged, 'L')).toEqual(['c']);
    expect(text(merged, 'K')).toBe('kept');
  });
});

describe('XML', () => {
  test('objects, lists, repeated elements and what is left out', () => {
    const xml = writeElement('a', {
      b: 1,
      c: [true, 'x'],
      d: repeated(['y', 'z']),
      e: undefined,
      f: [],
    });
    expect(xml).toBe(
      '<a><b>1</b><c><item>true</item><item>x</item></c><d>y</d><d>z</d><f></f></a>',
    );
  });

  test('text is only ever text', () => {
    expect(escapeXml('<a & "b">\r')).toBe('&lt;a &amp; &quot;b&quot;&gt;&#xD;');
    expect(escapeXml(`a${String.fromCharCode(0)}b${String.fromCharCode(0x1f)}\tc\n`)).toBe(
      'a?b?\tc\n',
    );
  });
});
