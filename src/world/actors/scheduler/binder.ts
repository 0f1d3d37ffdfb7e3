import { pods } from '../../../api/kubernetes/core.ts';
import { isKubeError } from '../../../ports/kube.ts';
import type { Stage } from '../stage.ts';
import type { SchedulingPod } from './placed-pod.ts';

export interface Placement {
  readonly pod: SchedulingPod;
  readonly nodeName: string;
}

/** Binds the pod through the API. `refused` when it was deleted or bound by somebody else. */
export async function bind(
  stage: Stage,
  { pod, nodeName }: Placement,
): Promise<'bound' | 'refused'> {
  const { name, namespace, uid } = pod.object.metadata;
  try {
    await stage.ports.kube.createSubresource(pods, { name, namespace }, 'binding', {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: nodeName },
    });
  } catch (error) {
    if (isKubeError(error, 'not-found', 'conflict', 'invalid')) return 'refused';
    throw error;
  }
  await stage.events.record({
    resource: pods,
    about: pod.object,
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${pod.key} to ${nodeName}`,
    component: 'default-scheduler',
  });
  return 'bound';
}
