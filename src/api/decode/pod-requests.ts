import { add, largest, noResources, type Resources } from '../../core/quantity/resources.ts';
import type { Container, ContainerStatus, PodObject, PodSpec } from '../kubernetes/core.ts';
import { conditionOf } from '../resource.ts';
import type { PodMemory } from './pod-memory.ts';
import { type DecodedResources, decodeResources } from './resources.ts';

type PodStatus = PodObject['status'];

/**
 * What the kube-scheduler reserves for a pod, `pods: 1` included: the containers together, or
 * the largest moment of initialization if that is more; pod-level requests in their place where
 * given; the runtime's overhead on top. While containers are resized in place, the larger of
 * what is wished for and what is held counts. Equal amounts, in one memory, are the same value.
 */
export function podRequests(
  spec: PodSpec,
  status: PodStatus,
  { requests }: PodMemory,
): DecodedResources {
  if (!hasContainersOnly(spec, status)) {
    const decoded = decodeRequests(spec, status);
    return decoded.invalid.length > 0 ? decoded : requests.of(decoded.resources, () => decoded);
  }
  const { containers } = spec;
  const [first] = containers;
  const written = containers.length === 1 ? first?.resources : containers.map(resourcesOf);
  const shared = requests.of(written, () => decodeContainers(containers));
  // What is wrong is told of the container by its name, and these differ.
  return shared.invalid.length === 0 ? shared : decodeContainers(containers);
}

function resourcesOf({ resources }: Container): Container['resources'] {
  return resources;
}

/** Containers and nothing beside them, as most pods are: what they write is all that counts. */
function hasContainersOnly(spec: PodSpec, status: PodStatus): boolean {
  return (
    spec.initContainers === undefined &&
    spec.overhead === undefined &&
    spec.resources === undefined &&
    status?.containerStatuses === undefined
  );
}

function decodeContainers(containers: readonly Container[]): DecodedResources {
  const invalid: string[] = [];
  let running = noResources;
  for (const container of containers) {
    const decoded = containerRequests(container);
    invalid.push(...decoded.invalid);
    running = running === noResources ? decoded.resources : add(running, decoded.resources);
  }
  return { resources: add(running, { pods: 1 }), invalid };
}

function decodeRequests(spec: PodSpec, status: PodStatus): DecodedResources {
  const invalid: string[] = [];
  const held = heldBy(spec, status);
  const read = (container: Container): Resources => {
    const decoded = containerRequests(container);
    invalid.push(...decoded.invalid);
    return duringResize(decoded.resources, held.get(container.name), status);
  };
  const running = spec.containers.map(read).reduce(add, noResources);
  const starting = initRequests(spec.initContainers ?? [], read);
  const containers = largest(add(running, starting.sidecars), starting.peak);
  const podLevel = podLevelRequests(spec, status, containers);
  const overhead = decodeResources(spec.overhead, 'overhead');
  invalid.push(...podLevel.invalid, ...overhead.invalid);
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
  if (container.resources?.limits === undefined)
    return decodeResources(container.resources?.requests, `${where} request`);
  const limits = decodeResources(container.resources?.limits, `${where} limit`);
  const requests = decodeResources(container.resources?.requests, `${where} request`);
  return {
    resources: { ...limits.resources, ...requests.resources },
    invalid: [...limits.invalid, ...requests.invalid],
  };
}

/** Here, too, a limit is a request, unless the containers ask for some of the resource themselves. */
function podLevelRequests(
  spec: PodSpec,
  status: PodStatus,
  containers: Resources,
): DecodedResources {
  const requests = decodeResources(spec.resources?.requests, 'pod request');
  const limits = decodeResources(spec.resources?.limits, 'pod limit');
  const isAskedFor = (name: string): boolean => Object.hasOwn(containers, name) && !isHuge(name);
  const supported = [
    ...Object.entries(limits.resources).filter(([name]) => !isAskedFor(name)),
    ...Object.entries(requests.resources),
  ].filter(([name]) => isPodLevel(name));
  const wished = Object.fromEntries(supported);
  const resized = duringResize(wished, heldAmounts(status), status);
  const counted = supported.map(([name]) => [name, resized[name] ?? 0] as const);
  return {
    resources: Object.fromEntries(counted),
    invalid: [...requests.invalid, ...limits.invalid],
  };
}

function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || isHuge(resource);
}

function isHuge(resource: string): boolean {
  return resource.startsWith('hugepages-');
}

type Reported = Pick<ContainerStatus, 'resources' | 'allocatedResources'>;

/**
 * What the kubelet holds for each container, by name, as far as it reports. Init containers that
 * come and go are never resized.
 */
function heldBy(spec: PodSpec, status: PodStatus): ReadonlyMap<string, Resources> {
  const sidecars = new Set(spec.initContainers?.filter(isSidecar).map(({ name }) => name));
  const ofSidecars = status?.initContainerStatuses?.filter(({ name = '' }) => sidecars.has(name));
  const held = new Map<string, Resources>();
  for (const report of [...(status?.containerStatuses ?? []), ...(ofSidecars ?? [])]) {
    const amounts = heldAmounts(report);
    if (amounts !== undefined && report.name !== undefined) held.set(report.name, amounts);
  }
  return held;
}

function heldAmounts(report: Reported | undefined): Resources | undefined {
  if (report?.resources === undefined) return undefined;
  return largest(
    decodeResources(report.resources.requests, '').resources,
    decodeResources(report.allocatedResources, '').resources,
  );
}

/** A resize that the node cannot give leaves the pod with what it holds. */
function duringResize(
  wished: Resources,
  held: Resources | undefined,
  status: PodStatus,
): Resources {
  if (held === undefined) return wished;
  const isInfeasible =
    conditionOf({ status: status ?? {} }, 'PodResizePending')?.reason === 'Infeasible';
  return isInfeasible ? held : largest(wished, held);
}
