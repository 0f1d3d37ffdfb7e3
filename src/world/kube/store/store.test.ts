import { expect, test } from 'vitest';
import type { ApiObject } from '../json.ts';
import { type Change, Store } from './store.ts';

function named(name: string, x = 0): ApiObject {
  return { metadata: { name }, x };
}

test('every write gets the next revision, whatever it writes', () => {
  const store = new Store({ historyLength: 10 });
  expect(store.put('pods', 'a', named('a')).metadata.resourceVersion).toBe('1');
  expect(store.put('nodes', 'n', named('n')).metadata.resourceVersion).toBe('2');
  expect(store.remove('pods', 'a')?.metadata.resourceVersion).toBe('3');
  expect(store.remove('pods', 'a')).toBeUndefined();
  expect(store.revision).toBe(3);
});

test('the past can be read as far back as changes are remembered', () => {
  const store = new Store({ historyLength: 2 });
  for (const name of ['b', 'a', 'c']) store.put('pods', name, named(name));
  store.remove('pods', 'b');
  expect(store.at('pods', 3)?.keys).toEqual(['a', 'b', 'c']);
  expect(store.at('pods', 2)?.keys).toEqual(['a', 'b']);
  expect(store.at('pods', 0)).toBeUndefined();
  expect(store.changesSince('pods', 0)).toBeUndefined();
  expect(store.oldestRevision('pods')).toBe(2);
  expect(store.changesSince('pods', 2)?.map(({ type, key }) => `${type} ${key}`)).toEqual([
    'ADDED c',
    'DELETED b',
  ]);
});

test('a listener that writes does not tell others its own change before what caused it', () => {
  const store = new Store({ historyLength: 10 });
  const seen: string[] = [];
  const tell = ({ key, revision }: Change): number => seen.push(`${revision} ${key}`);
  store.subscribe('pods', ({ key }) => {
    if (key === 'a') store.put('pods', 'b', named('b'));
  });
  const stop = store.subscribe('pods', tell);
  store.put('pods', 'a', named('a'));
  stop();
  store.put('pods', 'c', named('c'));
  expect(seen).toEqual(['1 a', '2 b']);
});

test('a state that is past is told after everybody has heard of the new one', () => {
  const seen: string[] = [];
  const onReplaced = (previous: ApiObject) =>
    seen.push(`past ${previous.metadata.resourceVersion}`);
  const store = new Store({ historyLength: 10, onReplaced });
  store.subscribe('pods', ({ type, revision }) => seen.push(`${type} ${revision}`));
  store.put('pods', 'a', named('a'));
  store.put('pods', 'a', named('a', 1));
  store.remove('pods', 'a');
  expect(seen).toEqual(['ADDED 1', 'MODIFIED 2', 'past 1', 'DELETED 3', 'past 2']);
});
