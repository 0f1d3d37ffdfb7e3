import { events } from '../../api/kubernetes/core.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../../api/resource.ts';
import { timestamp } from '../../ports/clock.ts';
import { isKubeError } from '../../ports/kube.ts';
import { hexDigits } from '../../ports/random.ts';
import type { ActorPorts } from './stage.ts';

export interface Incident {
  readonly resource: Resource;
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

/** Writes a Kubernetes Event. A failure is logged and stops nobody: events are best effort. */
export async function recordEvent(ports: ActorPorts, incident: Incident): Promise<void> {
  const { about, resource } = incident;
  const now = timestamp(ports.clock.nowMs());
  const namespace = about.metadata.namespace ?? 'default';
  try {
    await ports.kube.create(events, {
      metadata: { name: `${about.metadata.name}.${hexDigits(ports.random, 16)}`, namespace },
      involvedObject: {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        name: about.metadata.name,
        ...(about.metadata.namespace && { namespace: about.metadata.namespace }),
        uid: about.metadata.uid ?? '',
      },
      reason: incident.reason,
      message: incident.message,
      type: incident.type,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component: incident.component },
    });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    // In a namespace that is being deleted nothing can be created any more, events included.
    if (isKubeError(error, 'forbidden', 'not-found')) return;
    ports.log.error('recording an event failed', { about: about.metadata.name, error });
  }
}
