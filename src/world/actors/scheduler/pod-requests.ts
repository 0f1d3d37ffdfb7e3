import type { Container, PodObject, ResourceList } from '../../../api/kubernetes/core.ts';
import { parseAmount } from '../../../core/quantity/quantity.ts';
import { add, largest, noResources, type Resources } from '../../../core/quantity/resources.ts';

/**
 * What the pod reserves on a node, without the pod slot itself. Start-up containers run one after
 * another beside the sidecars started before them, so that the pod needs the larger of that peak
 * and of its steady state; pod-level requests replace the sum, and overhead is added at the end.
 */
export function requestsOf(pod: PodObject): Resources {
  const { spec } = pod;
  let steady = noResources;
  for (const container of spec.containers) steady = add(steady, requested(container));
  let sidecars = noResources;
  let peak = noResources;
  for (const container of spec.initContainers ?? []) {
    if (container.restartPolicy === 'Always') {
      sidecars = add(sidecars, requested(container));
      peak = largest(peak, sidecars);
    } else {
      peak = largest(peak, add(sidecars, requested(container)));
    }
  }
  const needed = largest(add(steady, sidecars), peak);
  const podLevel = amounts(withLimits(spec.resources));
  return add({ ...needed, ...podLevel }, amounts(spec.overhead));
}

/** Amounts of a list as integers. Text that is not a quantity never passes the API server. */
export function amounts(list: ResourceList | undefined): Resources {
  const result: Record<string, number> = {};
  for (const [name, text] of Object.entries(list ?? {})) {
    const amount = parseAmount(name, text);
    if (typeof amount === 'number') result[name] = amount;
  }
  return result;
}

function requested(container: Container): Resources {
  return amounts(withLimits(container.resources));
}

/** A limit without a request counts as the request, which the API server also writes down. */
function withLimits(resources: Container['resources']): ResourceList {
  return { ...resources?.limits, ...resources?.requests };
}
