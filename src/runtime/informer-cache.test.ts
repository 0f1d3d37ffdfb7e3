import { describe, expect, test } from 'vitest';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import type { KubeObject } from '../api/resource.ts';
import { InformerCache } from './informer-cache.ts';

function setUp() {
  const clock = createVirtualClock();
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  const cache = new InformerCache<KubeObject>(log);
  const changes: string[] = [];
  cache.onChange(({ type, object }) => {
    changes.push(`${type} ${object.metadata.uid}@${object.metadata.resourceVersion}`);
  });
  return { cache, changes };
}

const anObject = (uid: string, resourceVersion: string): KubeObject => ({
  metadata: { name: 'a', uid, resourceVersion },
});

describe('when answers overtake the watch', () => {
  test('a late delete does not remove the object that has taken the name since', () => {
    const { cache, changes } = setUp();
    cache.replace([anObject('first', '9')], '9');
    cache.apply(anObject('second', '12'));
    cache.observe('DELETED', anObject('first', '11'));
    cache.observe('ADDED', anObject('second', '12'));
    expect(changes).toEqual(['added first@9', 'deleted first@9', 'added second@12']);
    expect(cache.store.get('a')?.metadata.uid).toBe('second');
  });

  test('a list that is older than an answer keeps the answer', () => {
    const { cache, changes } = setUp();
    cache.replace([], '9');
    cache.apply(anObject('first', '12'));
    cache.replace([], '10');
    expect(changes).toEqual(['added first@12']);
    cache.replace([], '13');
    expect(changes.at(-1)).toBe('deleted first@12');
  });
});

describe('when the server is rewound', () => {
  test('what it lists now is the whole truth, however old', () => {
    const { cache, changes } = setUp();
    cache.replace([anObject('first', '900')], '1000');
    cache.replace([anObject('first', '80')], '99');
    expect(changes).toEqual(['added first@900', 'updated first@80']);
    cache.replace([], '98');
    expect(cache.version).toBe('98');
    expect(cache.store.size).toBe(0);
  });
});

describe('while a list is taken in step by step', () => {
  const named = (name: string, resourceVersion: string): KubeObject => ({
    metadata: { name, uid: name, resourceVersion },
  });

  test('an answer that comes in between stays, if it is newer than the list', () => {
    const { cache } = setUp();
    cache.replace([named('old', '5'), named('gone', '6')], '9');
    const list = Array.from({ length: 100 }, (_, index) => named(`n-${index}`, '10'));
    const steps = cache.replacing([...list, named('old', '11')], '12');
    steps.next();
    cache.apply(named('old', '14'));
    cache.apply(named('new', '15'));
    while (steps.next().done !== true) expect(cache.version).toBe('12');
    expect(cache.store.get('old')?.metadata.resourceVersion).toBe('14');
    expect(cache.store.get('new')?.metadata.resourceVersion).toBe('15');
    expect(cache.store.get('gone')).toBeUndefined();
    expect(cache.store.size).toBe(102);
  });

  test.each([
    { name: 'we have it', had: true },
    { name: 'we do not have it yet', had: false },
  ])(
    'an object that an answer has ended does not come back with the list, though $name',
    ({ had }) => {
      const { cache, changes } = setUp();
      cache.replace(had ? [named('z-last', '5')] : [], '9');
      const list = Array.from({ length: 100 }, (_, index) => named(`n-${index}`, '10'));
      const steps = cache.replacing([...list, named('z-last', '11')], '12');
      steps.next();
      const end = { ...named('z-last', '14').metadata, deletionTimestamp: '2026-01-05T09:00:00Z' };
      cache.apply({ metadata: end });
      while (steps.next().done !== true);
      expect(cache.store.get('z-last')).toBeUndefined();
      // What the watch tells from the version of the list on is no news either, up to its end.
      cache.observe('MODIFIED', named('z-last', '13'));
      cache.observe('DELETED', named('z-last', '14'));
      expect(changes.filter((change) => change.includes('z-last')).slice(had ? 1 : 0)).toEqual(
        had ? ['deleted z-last@14'] : [],
      );
      cache.observe('ADDED', named('z-last', '16'));
      expect(changes.at(-1)).toBe('added z-last@16');
    },
  );

  test('an answer that comes in between and is older than the list is not taken for news', () => {
    const { cache } = setUp();
    cache.replace([named('p', '40')], '50');
    const list = Array.from({ length: 100 }, (_, index) => named(`n-${index}`, '60'));
    const steps = cache.replacing(list, '100');
    for (let step = 0; step < 3; step++) steps.next();
    // Patched by us at 95 and deleted by somebody at 98: the list does not have it any more.
    cache.apply(named('p', '95'));
    while (steps.next().done !== true);
    expect(cache.store.get('p')).toBeUndefined();
  });
});
