import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { re2 } from './re2.ts';

describe('an expression as Go reads it', () => {
  test.each([
    { pattern: '^a.c$', text: 'a\rc', matches: true, why: 'a dot takes everything but a newline' },
    { pattern: '^a.c$', text: 'a\nc', matches: false, why: 'a dot takes no newline' },
    { pattern: '^\\s$', text: '\v', matches: false, why: '\\s has no vertical tab' },
    { pattern: '^\\s$', text: '\u00a0', matches: false, why: '\\s is ASCII alone' },
    { pattern: '^a$', text: 'a\n', matches: false, why: '$ is the end of the text' },
    { pattern: '(?m)^a$', text: 'b\na\n', matches: true, why: 'with the flag m, of a line' },
    { pattern: '^(?i)aBc$', text: 'AbC', matches: true, why: 'the flag i takes both cases' },
    { pattern: '^[[:alpha:]_\\-]+$', text: 'a_-Z', matches: true, why: 'POSIX classes are known' },
    { pattern: '^[^/]*$', text: 'a\nb', matches: true, why: 'an opposite class takes newlines' },
    { pattern: '^(a||b)$', text: '', matches: true, why: 'an alternative may be empty' },
    { pattern: '^a{2,3}$', text: 'aaaa', matches: false, why: 'repetitions are counted' },
    { pattern: '^a{,3}$', text: 'a{,3}', matches: true, why: 'a brace without a count is itself' },
    { pattern: '^.$', text: '\u{1f600}', matches: true, why: 'a code point is one character' },
    { pattern: '\\bcat\\b', text: 'a cat.', matches: true, why: 'words have boundaries' },
    { pattern: '^\\Qa.b\\E$', text: 'a.b', matches: true, why: 'quoted text stands for itself' },
    { pattern: '^\\x41\\x{1F600}$', text: 'A\u{1f600}', matches: true, why: 'codes are read' },
    { pattern: '^\\pL[\\p{Greek}]\\PL$', text: 'éα1', matches: true, why: 'Unicode has classes' },
    { pattern: '^(?P<x>a)(?:b)$', text: 'ab', matches: true, why: 'groups may have names' },
  ])('$why', ({ pattern, text, matches }) => {
    expect(re2(pattern).test(text)).toBe(matches);
  });

  test('finds the leftmost match, and of those the first alternative', () => {
    expect(re2('^([^/]+)').find('karpenter.sh/x')).toBe('karpenter.sh');
    expect(re2('b|abc|ab').find('xabcx')).toBe('abc');
    expect(re2('a+?').find('aaa')).toBe('a');
    expect(re2('z').find('aaa')).toBe(undefined);
    expect(re2('[a-z]+').findAll('ab1cd2ef', 2)).toEqual(['ab', 'cd']);
  });

  test.each([
    '(',
    ')',
    'a**',
    '*a',
    '[b-a]',
    '[a',
    '\\y',
    'a{2000}',
    '(?=a)',
    '\\1',
    '\\p{Klingon}',
  ])('is refused when RE2 would refuse it: %s', (pattern) => {
    expect(() => re2(pattern)).toThrow(SyntaxError);
  });

  test('answers at once where others try every way', () => {
    const schedule = '((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$';
    expect(re2(schedule).test(`${' '.repeat(20_000)}\n`)).toBe(false);
    expect(re2('^(a+)+$').test(`${'a'.repeat(20_000)}b`)).toBe(false);
  });
});

const atom = fc.constantFrom(
  'a',
  'b',
  '[ab]',
  '[^a]',
  '.',
  '(a|b)',
  '(?:ab)',
  'c?',
  'a*',
  'b+?',
  '(ab)*',
  'b{1,2}',
);
const expression = fc
  .array(fc.array(atom, { maxLength: 4 }), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map((part) => part.join('')).join('|'));
const sentence = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

test('agrees with JavaScript where both mean the same', () => {
  fc.assert(
    fc.property(expression, fc.boolean(), sentence, (body, isAnchored, text) => {
      const pattern = isAnchored ? `^(?:${body})$` : body;
      expect(re2(pattern).find(text)).toBe(new RegExp(pattern).exec(text)?.[0]);
      expect(re2(pattern).test(text)).toBe(new RegExp(pattern).test(text));
    }),
    { numRuns: 2_000 },
  );
});
