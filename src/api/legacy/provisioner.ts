import { isMap, type Path, type Value } from '../value.ts';
import type { Edit } from './edit.ts';
import { dropOldState, nodeClassApi, reviseNodeClassSpec } from './node-class.ts';
import { reviseNodeClassRef } from './node-class-ref.ts';
import { kubeletOf, type LooseKubelet } from './node-pool.ts';
import { completeDefaults } from './provisioner-defaults.ts';
import { reviseTimes } from './provisioner-times.ts';
import { Revision } from './revision.ts';
import { renewAnnotations } from './workload.ts';

export interface RevisedProvisioner {
  readonly kubelet: LooseKubelet | undefined;
  /** The EC2NodeClass that `spec.provider` became, with the changes that made it. */
  readonly nodeClass: Revision | undefined;
}

const template = ['spec', 'template', 'spec'];
const reference = [...template, 'nodeClassRef'];

/** Brings a Provisioner to a v1 NodePool, and an inline provider to an EC2NodeClass of its own. */
export function reviseProvisioner(revision: Revision): RevisedProvisioner {
  revision.change(
    {
      why: 'a Provisioner is called NodePool since v1beta1',
      now: 'nodes of the Provisioner are not taken over: they run until they are drained, and new ones belong to the NodePool',
    },
    { kind: 'set', at: ['apiVersion'], value: 'karpenter.sh/v1' },
    { kind: 'set', at: ['kind'], value: 'NodePool' },
  );
  dropOldState(revision, ['status']);
  dropOldState(revision, ['metadata', 'annotations', 'karpenter.sh/provisioner-hash']);
  if (!isMap(revision.at('spec'))) return { kubelet: undefined, nodeClass: undefined };
  moveIntoTemplate(revision);
  const nodeClass = separateProvider(revision);
  reviseProviderRef(revision);
  completeDefaults(revision);
  reviseTimes(revision);
  reviseLimits(revision);
  renewAnnotations(revision, ['spec', 'template', 'metadata', 'annotations']);
  return { kubelet: looseKubelet(revision), nodeClass };
}

const moves: readonly (readonly [string, Path])[] = [
  ['labels', ['spec', 'template', 'metadata', 'labels']],
  ['annotations', ['spec', 'template', 'metadata', 'annotations']],
  ['requirements', [...template, 'requirements']],
  ['taints', [...template, 'taints']],
  ['startupTaints', [...template, 'startupTaints']],
];

function moveIntoTemplate(revision: Revision): void {
  const edits = moves
    .filter(([field, to]) => revision.has('spec', field) && !revision.has(...to))
    .map(([field, to]): Edit => ({ kind: 'move', from: ['spec', field], to }));
  if (edits.length === 0) return;
  const why = 'what nodes are made from stands under template';
  revision.change({ why, now: 'nothing' }, ...edits);
}

/** An inline provider becomes an EC2NodeClass of the pool's own name. */
function separateProvider(revision: Revision): Revision | undefined {
  const provider = revision.at('spec', 'provider');
  const name = revision.at('metadata', 'name');
  if (!isMap(provider) || typeof name !== 'string') return undefined;
  const made = new Revision({
    apiVersion: `${nodeClassApi.group}/v1`,
    kind: nodeClassApi.kind,
    metadata: { name },
    spec: withoutTypes(provider),
  });
  reviseNodeClassSpec(made, ['spec'], 'v1alpha1');
  const reference: Value = { ...nodeClassApi, name };
  revision.change(
    {
      why: `v1 keeps what AWS is told in an EC2NodeClass; one named ${name} is written for it`,
      now: 'pools can share the class; apply it together with the pool',
    },
    { kind: 'remove', at: ['spec', 'provider'] },
    { kind: 'set', at: [...template, 'nodeClassRef'], value: reference },
  );
  return made;
}

/** The inline provider repeated what kind it was. */
function withoutTypes(provider: Record<string, Value>): Value {
  const own = ['apiVersion', 'kind'];
  return Object.fromEntries(Object.entries(provider).filter(([key]) => !own.includes(key)));
}

function reviseProviderRef(revision: Revision): void {
  const from = ['spec', 'providerRef'];
  if (revision.has(...from) && !revision.has(...reference))
    revision.change(
      { why: 'providerRef is called nodeClassRef and stands in the template', now: 'nothing' },
      { kind: 'move', from, to: reference },
    );
  reviseNodeClassRef(revision, reference);
}

function reviseLimits(revision: Revision): void {
  const at = ['spec', 'limits', 'resources'];
  const limits = revision.at('spec', 'limits');
  if (!isMap(limits) || !revision.has(...at)) return;
  const story = { why: 'limits are no longer grouped under resources', now: 'nothing' };
  if (Object.keys(limits).length === 1) revision.change(story, { kind: 'lift', at });
  else liftEach(revision, at);
}

/** Something stands beside `resources`: its entries join what is there. */
function liftEach(revision: Revision, at: Path): void {
  const resources = revision.at(...at);
  if (!isMap(resources)) return;
  const story = { why: 'limits are no longer grouped under resources', now: 'nothing' };
  const outer = at.slice(0, -1);
  const free = Object.keys(resources).filter((name) => !revision.has(...outer, name));
  revision.change(
    story,
    ...free.map((name): Edit => ({ kind: 'move', from: [...at, name], to: [...outer, name] })),
    { kind: 'remove', at },
  );
}

function looseKubelet(revision: Revision): LooseKubelet | undefined {
  const runtime = ['spec', 'kubeletConfiguration', 'containerRuntime'];
  if (revision.has(...runtime))
    revision.change(
      { why: 'every image has containerd and nothing else', now: 'nothing' },
      { kind: 'remove', at: runtime },
    );
  return kubeletOf(revision, ['spec', 'kubeletConfiguration']);
}
