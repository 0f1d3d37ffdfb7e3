import { add, largest, noResources, type Resources } from '../../core/quantity/resources.ts';
import type { Container, PodSpec } from '../kubernetes/core.ts';
import { type DecodedResources, decodeResources } from './resources.ts';

/**
 * What the kube-scheduler reserves for a pod, `pods: 1` included: the containers together, or
 * the largest moment of initialization if that is more; pod-level requests in their place where
 * given; the runtime's overhead on top.
 */
export function podRequests(spec: PodSpec): DecodedResources {
  const invalid: string[] = [];
  const read = (container: Container): Resources => {
    const decoded = containerRequests(container);
    invalid.push(...decoded.invalid);
    return decoded.resources;
  };
  const running = spec.containers.map(read).reduce(add, noResources);
  const starting = initRequests(spec.initContainers ?? [], read);
  const podLevel = podLevelRequests(spec);
  const overhead = decodeResources(spec.overhead, 'overhead');
  invalid.push(...podLevel.invalid, ...overhead.invalid);
  const containers = largest(add(running, starting.sidecars), starting.peak);
  const requests = add({ ...containers, ...podLevel.resources }, overhead.resources);
  return { resources: add(requests, { pods: 1 }), invalid };
}

/**
 * Sidecars (init containers that restart) keep running, so that they count beside everything
 * started after them; the others come and go one at a time.
 */
function initRequests(
  containers: readonly Container[],
  read: (container: Container) => Resources,
): { readonly sidecars: Resources; readonly peak: Resources } {
  let sidecars = noResources;
  let peak = noResources;
  for (const container of containers) {
    const together = add(sidecars, read(container));
    if (isSidecar(container)) sidecars = together;
    peak = largest(peak, together);
  }
  return { sidecars, peak };
}

export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always';
}

/** A limit without a request is a request, as the API server would have it. */
function containerRequests(container: Container): DecodedResources {
  const where = `container ${container.name}:`;
  const limits = decodeResources(container.resources?.limits, `${where} limit`);
  const requests = decodeResources(container.resources?.requests, `${where} request`);
  return {
    resources: { ...limits.resources, ...requests.resources },
    invalid: [...limits.invalid, ...requests.invalid],
  };
}

function podLevelRequests(spec: PodSpec): DecodedResources {
  const decoded = decodeResources(spec.resources?.requests, 'pod request');
  const supported = Object.entries(decoded.resources).filter(([name]) => isPodLevel(name));
  return { resources: Object.fromEntries(supported), invalid: decoded.invalid };
}

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');
}
