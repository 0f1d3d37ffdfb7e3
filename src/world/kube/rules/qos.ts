import { type ApiObject, type Json, listAt, objectAt } from '../json.ts';

/** `Guaranteed`, `Burstable` or `BestEffort`, from the requests and limits of all containers. */
export function qosClassOf(pod: ApiObject): string {
  const containers = [
    ...listAt(pod, 'spec', 'containers'),
    ...listAt(pod, 'spec', 'initContainers'),
  ];
  const amounts = containers.flatMap((container) => [
    ...Object.entries(objectAt(container, 'resources', 'requests')),
    ...Object.entries(objectAt(container, 'resources', 'limits')),
  ]);
  const counted = amounts.filter(([name, amount]) => isCounted(name) && amount !== '0');
  if (counted.length === 0) return 'BestEffort';
  return containers.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isCounted(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory';
}

function isGuaranteed(container: Json): boolean {
  const limits = objectAt(container, 'resources', 'limits');
  const requests = objectAt(container, 'resources', 'requests');
  return ['cpu', 'memory'].every(
    (name) => limits[name] !== undefined && requests[name] === limits[name],
  );
}
