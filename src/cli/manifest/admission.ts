import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import { customResourceDefinitions } from '../../api/crds.ts';
import { isMap, mapAt, type Value } from '../../api/value.ts';
import { createKubeServer } from '../../world/kube/server.ts';
import { call, type Refusal, refusalsOf } from './api-call.ts';

/** What an API server with our CRDs says of an object, without keeping it. */
export interface Admission {
  /** Why the object would be refused; empty when it would be taken. */
  refusals(object: Value): Promise<readonly Refusal[]>;
}

/** An API server of our own in this process, with Karpenter's kinds and nothing else. */
export async function openAdmission(): Promise<Admission> {
  const { handle } = createKubeServer({
    clock: createVirtualClock(),
    random: createSeededRandom(1),
  });
  const paths = new Map<string, string>();
  for (const crd of customResourceDefinitions()) {
    await call(handle, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    const spec = crd.spec as unknown as Value;
    const { group = '', names } = mapAt(spec, []);
    const { kind = '', plural = '' } = mapAt(names, []);
    paths.set(`${String(group)}/v1 ${String(kind)}`, `/apis/${String(group)}/v1/${String(plural)}`);
  }
  return {
    refusals: async (object) => {
      const { apiVersion, kind } = mapAt(object, []);
      const path = paths.get(`${String(apiVersion)} ${String(kind)}`);
      if (path === undefined || !isMap(object)) return [];
      const { status: _status, ...own } = object;
      return refusalsOf(await call(handle, `${path}?dryRun=All`, own));
    },
  };
}
