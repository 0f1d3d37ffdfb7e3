import { expect, test } from 'vitest';
import { aType } from '../../../test/validator/builders.ts';
import { except, only } from '../../core/requirements/value-set.ts';
import { typesAmong, typesNamed } from './types-by-name.ts';

const large = aType({ name: 'm5.large', cpu: 2, memoryGi: 8 });
const xlarge = aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 16 });
const types = [xlarge, large];

test('a type is found by its name, and an unknown name finds none', () => {
  expect(typesNamed(types, 'm5.large')).toEqual([large]);
  expect(typesNamed(types, 'm5.huge')).toEqual([]);
  expect(typesNamed(types, undefined)).toEqual([]);
});

test('another list has its own answers', () => {
  expect(typesNamed([xlarge], 'm5.large')).toEqual([]);
});

test('a set of names keeps the order of the list, and no set means all', () => {
  expect(typesAmong(types, only(['m5.large', 'm5.xlarge']))).toEqual(types);
  expect(typesAmong(types, except(['m5.xlarge']))).toEqual([large]);
  expect(typesAmong(types, undefined)).toEqual(types);
});
