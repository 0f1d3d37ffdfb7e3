import { isMap, type Path, type Value } from '../value.ts';
import { reviseDisruption } from './disruption.ts';
import { reviseNodeClassRef } from './node-class-ref.ts';
import type { Revision } from './revision.ts';
import { renewAnnotations } from './workload.ts';

/** Kubelet settings that stood in a pool and belong to the class in v1. */
export interface LooseKubelet {
  readonly at: Path;
  readonly settings: Value;
  /** The class that the pool names; undefined where it names none. */
  readonly className: string | undefined;
}

const template = ['spec', 'template', 'spec'];

/** Brings a NodePool to v1, except for its kubelet settings, which it answers. */
export function reviseNodePool(
  revision: Revision,
  version: 'v1beta1' | 'v1',
): LooseKubelet | undefined {
  if (version === 'v1beta1')
    revision.change(
      {
        why: 'v1beta1 is deprecated, and gone from Karpenter 1.1 on',
        now: 'see the other lines; without any, nothing',
      },
      { kind: 'set', at: ['apiVersion'], value: 'karpenter.sh/v1' },
    );
  if (!isMap(revision.at('spec'))) return undefined;
  reviseNodeClassRef(revision, [...template, 'nodeClassRef']);
  completeRequirements(revision);
  dropAffinity(revision);
  reviseDisruption(revision);
  renewAnnotations(revision, ['spec', 'template', 'metadata', 'annotations']);
  return kubeletOf(revision, [...template, 'kubelet']);
}

/** Brings a NodeClaim to v1. Claims are made by the controller; files hold them as records. */
export function reviseNodeClaim(revision: Revision, version: 'v1beta1' | 'v1'): void {
  if (version === 'v1beta1')
    revision.change(
      {
        why: 'v1beta1 is deprecated, and gone from Karpenter 1.1 on',
        now: 'a claim without expireAfter expires after 720h; write what its pool says',
      },
      { kind: 'set', at: ['apiVersion'], value: 'karpenter.sh/v1' },
    );
  reviseNodeClassRef(revision, ['spec', 'nodeClassRef']);
  renewAnnotations(revision, ['metadata', 'annotations']);
  if (!revision.has('spec', 'kubelet')) return;
  revision.change(
    {
      why: 'in v1 kubelet settings belong to the EC2NodeClass',
      now: 'the machine has started with them already; a new one takes those of its class',
    },
    { kind: 'remove', at: ['spec', 'kubelet'] },
  );
}

export function kubeletOf(revision: Revision, at: Path): LooseKubelet | undefined {
  const settings = revision.at(...at);
  if (settings === undefined) return undefined;
  const className = revision.at(...template, 'nodeClassRef', 'name');
  return { at, settings, className: typeof className === 'string' ? className : undefined };
}

/** v1 wants the list even where nothing is required. */
export function completeRequirements(revision: Revision): void {
  const at = [...template, 'requirements'];
  if (!isMap(revision.at(...template)) || revision.has(...at)) return;
  revision.change(
    { why: 'v1 wants the list, be it empty', now: 'nothing' },
    { kind: 'set', at, value: [] },
  );
}

function dropAffinity(revision: Revision): void {
  const at = [...template, 'affinity'];
  if (!revision.has(...at)) return;
  revision.change(
    {
      why: 'a NodePool has no affinity; the API server has dropped it all along',
      now: 'nothing; to bind nodes to zones write a requirement on topology.kubernetes.io/zone, to prefer some write the affinity into the pods',
    },
    { kind: 'remove', at },
  );
}
