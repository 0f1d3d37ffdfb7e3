import { apiVersionOf, type KubeObject, type Resource } from '../../api/resource.ts';
import { KubeError } from '../../ports/kube.ts';

/** The JSON of an answer. What is no JSON is the fault of the server or of something between. */
export function parseBody(doing: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    const start = body.slice(0, 100);
    throw new KubeError('server-error', `${doing}: the answer is no JSON: ${start}`, { cause });
  }
}

/** Items of a list carry no type of their own; everybody may rely on finding it in the object. */
export function typed<T extends KubeObject>(resource: Resource<T>, value: object): T {
  const object = value as { apiVersion?: string; kind?: string };
  object.apiVersion ??= apiVersionOf(resource);
  object.kind ??= resource.kind;
  return object as T;
}
