import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import { customResourceDefinitions } from '../../api/crds.ts';
import { isList, isMap, mapAt, type Path, type Value } from '../../api/value.ts';
import { type HttpHandler, readBody } from '../../ports/http.ts';
import { createKubeServer } from '../../world/kube/server.ts';

/** What an API server with our CRDs says of an object, without keeping it. */
export interface Admission {
  /** Why the object would be refused; empty when it would be taken. */
  refusals(object: Value): Promise<readonly Refusal[]>;
}

export interface Refusal {
  readonly path: Path;
  readonly message: string;
}

/** An API server of our own in this process, with Karpenter's kinds and nothing else. */
export async function openAdmission(): Promise<Admission> {
  const { handle } = createKubeServer({
    clock: createVirtualClock(),
    random: createSeededRandom(1),
  });
  const paths = new Map<string, string>();
  for (const crd of customResourceDefinitions()) {
    await post(handle, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
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
      const answer = await post(handle, `${path}?dryRun=All`, own);
      return answer.status < 400 ? [] : refusalsOf(answer.body);
    },
  };
}

async function post(
  handle: HttpHandler,
  path: string,
  object: unknown,
): Promise<{ readonly status: number; readonly body: Value }> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const response = await handle({ method: 'POST', path, headers, body: JSON.stringify(object) });
  return { status: response.status, body: JSON.parse(await readBody(response)) as Value };
}

function refusalsOf(status: Value): readonly Refusal[] {
  const { causes } = mapAt(status, ['details']);
  const { message } = mapAt(status, []);
  const told = (isList(causes) ? causes : []).flatMap((cause): Refusal[] => {
    const { field, message: text } = mapAt(cause, []);
    // It only says that there may be more to say once the rest is mended.
    if (String(text).includes('some validation rules were not checked')) return [];
    return [{ path: pathOf(String(field ?? '')), message: String(text ?? '') }];
  });
  return told.length > 0 ? told : [{ path: [], message: String(message ?? 'it is refused') }];
}

/** `spec.limits[0].cpu` as steps. Keys with dots stand in brackets and end the path there. */
function pathOf(field: string): Path {
  return field
    .split(/\.|(?=\[)/)
    .filter((step) => step !== '' && step !== '<nil>')
    .map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step));
}
