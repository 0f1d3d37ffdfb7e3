import { describe, expect, test } from 'vitest';
import {
  type Api,
  aConfigMap,
  aPod,
  configMaps,
  namesOf,
  pods,
  startApi,
} from '../../../../test/kube/api.ts';

async function fill(api: Api, names: readonly string[]): Promise<void> {
  for (const name of names) await api.post(configMaps, aConfigMap(name));
}

describe('pages', () => {
  test('all pages together are the list at the version of the first', async () => {
    const api = startApi();
    await fill(api, ['e', 'b', 'd', 'a', 'c']);
    const first = (await api.get(`${configMaps}?limit=2`)).body;
    expect(namesOf(first)).toEqual(['a', 'b']);
    expect(first.metadata.remainingItemCount).toBe(3);
    await api.delete(`${configMaps}/c`);
    await fill(api, ['cc']);
    const next = (await api.get(`${configMaps}?limit=9&continue=${first.metadata.continue}`)).body;
    expect(namesOf(next)).toEqual(['c', 'd', 'e']);
    expect(next.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  test('a token that is too old is refused with one that goes on inconsistently', async () => {
    const api = startApi({ historyLength: 4 });
    await fill(api, ['a', 'b', 'c']);
    const first = (await api.get(`${configMaps}?limit=1`)).body;
    for (let i = 0; i < 10; i++) await api.merge(`${configMaps}/b`, { data: { i: String(i) } });
    const late = await api.get(`${configMaps}?limit=1&continue=${first.metadata.continue}`);
    expect(late).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const rest = await api.get(`${configMaps}?continue=${late.body.metadata.continue}`);
    expect(namesOf(rest.body)).toEqual(['b', 'c']);
  });

  test('with a selector nobody says how many remain', async () => {
    const api = startApi();
    for (const name of ['a', 'b']) await api.post(pods, aPod(name, { labels: { app: 'x' } }));
    const { body } = await api.get(`${pods}?limit=1&labelSelector=app`);
    expect(body.metadata.continue).toBeDefined();
    expect(body.metadata.remainingItemCount).toBeUndefined();
  });
});

describe('versions', () => {
  test('an exact version shows the past', async () => {
    const api = startApi();
    await fill(api, ['a', 'b']);
    const { resourceVersion } = (await api.get(configMaps)).body.metadata;
    await api.delete(`${configMaps}/a`);
    await fill(api, ['c']);
    const past = await api.get(
      `${configMaps}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`,
    );
    expect(namesOf(past.body)).toEqual(['a', 'b']);
    const now = await api.get(`${configMaps}?resourceVersion=${resourceVersion}`);
    expect(namesOf(now.body)).toEqual(['b', 'c']);
  });

  test('a version of the future is a timeout', async () => {
    const { status, body } = await startApi().get(`${configMaps}?resourceVersion=99999`);
    expect(status).toBe(504);
    expect(body.details.causes).toMatchObject([{ reason: 'ResourceVersionTooLarge' }]);
  });
});

describe('selectors', () => {
  test.each([
    { query: 'labelSelector=app%3Dx', names: ['a'] },
    { query: 'labelSelector=app%20in%20(x,y)', names: ['a', 'b'] },
    { query: 'labelSelector=app%20notin%20(x)', names: ['b', 'c'] },
    { query: 'labelSelector=!app', names: ['c'] },
    { query: 'labelSelector=app,app!%3Dx', names: ['b'] },
    { query: 'fieldSelector=metadata.name%3Db', names: ['b'] },
    { query: 'fieldSelector=spec.nodeName%3Dn1', names: ['a'] },
    { query: 'fieldSelector=spec.nodeName%3D,status.phase!%3DFailed', names: ['b', 'c'] },
  ])('$query', async ({ query, names }) => {
    const api = startApi();
    await api.post(pods, aPod('a', { labels: { app: 'x' }, spec: { nodeName: 'n1' } }));
    await api.post(pods, aPod('b', { labels: { app: 'y' } }));
    await api.post(pods, aPod('c'));
    const { body } = await api.get(`/api/v1/pods?${query}`);
    expect(namesOf(body)).toEqual(names);
  });

  test.each([
    {
      path: `${pods}?fieldSelector=spec.colour%3Dred`,
      message: 'field label not supported: spec.colour',
    },
    {
      path: `${configMaps}?fieldSelector=data%3Dred`,
      message: '"data" is not a known field selector: only "metadata.name", "metadata.namespace"',
    },
  ])('$message', async ({ path, message }) => {
    expect(await startApi().get(path)).toMatchObject({ status: 400, body: { message } });
  });
});

test('items of a built-in list leave their type to the list', async () => {
  const api = startApi();
  await fill(api, ['a']);
  const { body } = await api.get(configMaps);
  expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
  expect(body.items[0]).not.toHaveProperty('kind');
});
