import type { NodePool } from '../../src/api/karpenter/node-pool.ts';
import type { NewObject } from '../../src/api/resource.ts';
import { pools } from '../../src/cli/story/manifests.ts';

type PoolSpec = NodePool['spec'];

/** A pool like those of the story, changed as told. */
export function poolLikeStory(
  name: string,
  change: (spec: PoolSpec) => PoolSpec,
): NewObject<NodePool> {
  const [model] = pools();
  if (model === undefined) throw new Error('the story has no pools');
  return { metadata: { name }, spec: change(model.spec) };
}

/** The pool with on-demand m5.xlarge alone. */
export function ofOneType(spec: PoolSpec): PoolSpec {
  const requirements = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.xlarge'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  ] as const;
  const { template } = spec;
  return { ...spec, template: { ...template, spec: { ...template.spec, requirements } } };
}
