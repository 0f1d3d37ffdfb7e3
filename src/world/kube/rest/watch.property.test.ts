import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Api,
  aConfigMap,
  configMaps,
  type Loose,
  startApi,
} from '../../../../test/kube/api.ts';

// Few names and many steps, so that objects are created, changed and deleted again and again.
const name = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  name.map((it) => ({ act: 'create', it }) as const),
  fc
    .tuple(name, fc.integer({ min: 0, max: 3 }))
    .map(([it, x]) => ({ act: 'change', it, x }) as const),
  name.map((it) => ({ act: 'delete', it }) as const),
);
interface Step {
  readonly act: 'create' | 'change' | 'delete';
  readonly it: string;
  readonly x?: number;
}

async function take(api: Api, step: Step): Promise<void> {
  const path = `${configMaps}/${step.it}`;
  if (step.act === 'create') await api.post(configMaps, aConfigMap(step.it));
  else if (step.act === 'delete') await api.delete(path);
  else await api.merge(path, { data: { x: String(step.x) } });
}

async function listed(api: Api, query = ''): Promise<ReadonlyMap<string, Loose>> {
  const { body } = await api.get(configMaps + query);
  return new Map((body.items as readonly Loose[]).map((item) => [item.metadata.name, item]));
}

test('the list at a version and the watch from it together are the list at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.nat(20), async (steps, cut) => {
      const api = startApi();
      for (const one of steps.slice(0, cut)) await take(api, one);
      const { resourceVersion } = (await api.get(configMaps)).body.metadata;
      for (const one of steps.slice(cut)) await take(api, one);
      const exact = `?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`;
      const objects = new Map(await listed(api, exact));
      const watch = await api.watch(`${configMaps}?resourceVersion=${resourceVersion}`);
      let last = Number(resourceVersion);
      for (const { type, object } of await watch.events()) {
        const { name, resourceVersion } = object.metadata;
        // Versions rise, and each kind of event fits what was there.
        expect(Number(resourceVersion)).toBeGreaterThan(last);
        last = Number(resourceVersion);
        expect(objects.has(String(name))).toBe(type !== 'ADDED');
        const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
        if (type === 'DELETED') objects.delete(String(name));
        else objects.set(String(name), item as Loose);
      }
      expect(objects).toEqual(await listed(api));
    }),
    { numRuns: 60 },
  );
});
