import type { KubeObject, Resource } from '../../api/resource.ts';
import { canonical, isSame } from './canonical.ts';
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
  const changes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(status)) {
    if (value !== undefined && canonical(former[field]) !== canonical(value))
      changes[field] = value;
  }
  for (const field of Object.keys(former)) {
    // In a merge patch null removes; leaving a field out would leave it standing.
    if ((status as Record<string, unknown>)[field] === undefined) changes[field] = null;
  }
  const { name, namespace } = object.metadata;
  const answer = await stage.ports.kube.patch(
    resource,
    { name, namespace },
    {
      type: 'merge',
      subresource: 'status',
      body: { status: changes },
    },
  );
  stage.informer(resource).apply(answer);
}
