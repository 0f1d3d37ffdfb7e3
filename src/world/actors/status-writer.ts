import type { KubeObject, Resource } from '../../api/resource.ts';
import { isSame } from './canonical-json.ts';
import type { Stage } from './stage.ts';

/**
 * Makes the object's status equal to the given one and keeps the answer in our copy. Writes
 * nothing when it is equal already, so that a settled cluster stays silent.
 */
export async function writeStatus<T extends KubeObject & { readonly status?: object }>(
  stage: Stage,
  target: { readonly resource: Resource<T>; readonly object: T },
  status: object,
): Promise<void> {
  const { resource, object } = target;
  const former: Readonly<Record<string, unknown>> = { ...object.status };
  if (isSame(former, status)) return;
  const { name, namespace } = object.metadata;
  const answer = await stage.ports.kube.patch(
    resource,
    { name, namespace },
    {
      type: 'merge',
      subresource: 'status',
      body: { status: mergePatch(former, status) },
    },
  );
  stage.informer(resource).apply(answer);
}

/** The merge patch that turns one value into the other: null removes, and lists are replaced. */
function mergePatch(former: object, next: object): Readonly<Record<string, unknown>> {
  const before: Readonly<Record<string, unknown>> = { ...former };
  const wanted: Readonly<Record<string, unknown>> = { ...next };
  const patch: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(wanted)) {
    const old = before[field];
    if (value === undefined || isSame(old, value)) continue;
    patch[field] = isMap(old) && isMap(value) ? mergePatch(old, value) : value;
  }
  for (const field of Object.keys(before)) {
    if (wanted[field] === undefined) patch[field] = null;
  }
  return patch;
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
