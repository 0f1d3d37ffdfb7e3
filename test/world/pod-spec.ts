import type { PodSpec } from '../../src/api/kubernetes/core.ts';
import type { DeploymentObject } from '../../src/api/kubernetes/workload.ts';
import type { NewObject } from '../../src/api/resource.ts';

/** A change to a Deployment: its pods are as told, and in everything else as they were. */
export function withPodSpec(
  more: Partial<PodSpec>,
): (object: NewObject<DeploymentObject>) => NewObject<DeploymentObject> {
  return (object) => {
    const { template } = object.spec;
    const spec = { ...template.spec, ...more };
    return { ...object, spec: { ...object.spec, template: { ...template, spec } } };
  };
}
