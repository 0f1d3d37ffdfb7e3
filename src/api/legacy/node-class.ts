import { isMap, mapAt, type Path } from '../value.ts';
import { reviseFamily } from './ami-family.ts';
import type { Revision } from './revision.ts';
import { reviseSelectors } from './selector.ts';

export type NodeClassVersion = 'v1alpha1' | 'v1beta1' | 'v1';

export const nodeClassApi = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' } as const;

/** Brings an AWSNodeTemplate or an EC2NodeClass to v1. */
export function reviseNodeClass(revision: Revision, version: NodeClassVersion): void {
  if (version !== 'v1') reviseIdentity(revision, version);
  reviseNodeClassSpec(revision, ['spec'], version);
}

/** The same for a spec that stands elsewhere, such as in a Provisioner. */
export function reviseNodeClassSpec(
  revision: Revision,
  spec: Path,
  version: NodeClassVersion,
): void {
  if (!isMap(revision.at(...spec))) return;
  reviseSelectors(revision, spec);
  reviseFamily(revision, spec, { family: version === 'v1alpha1' ? 'AL2' : undefined });
  if (version === 'v1alpha1') askAboutLaunchTemplate(revision, spec);
  askForRole(revision, spec);
  if (version !== 'v1') keepHopLimit(revision, spec);
  dropOwnTags(revision, spec);
}

function reviseIdentity(revision: Revision, version: NodeClassVersion): void {
  const edits = [{ kind: 'set', at: ['apiVersion'], value: `${nodeClassApi.group}/v1` }] as const;
  if (version === 'v1beta1') {
    const now =
      'role may change later; a public address is no longer switched off by itself for private subnets';
    revision.change(
      { why: 'v1beta1 is deprecated, and gone from Karpenter 1.1 on', now },
      ...edits,
    );
    return;
  }
  revision.change(
    {
      why: 'an AWSNodeTemplate is called EC2NodeClass since v1beta1',
      now: 'instances are tagged and named after the EC2NodeClass; those of the old kind are not taken over',
    },
    ...edits,
    { kind: 'set', at: ['kind'], value: nodeClassApi.kind },
  );
  for (const at of [['status'], ['metadata', 'annotations', 'karpenter.k8s.aws/nodetemplate-hash']])
    dropOldState(revision, at);
}

/** Takes away what a controller of the old version had written for itself. */
export function dropOldState(revision: Revision, at: Path): void {
  if (!revision.has(...at)) return;
  revision.change(
    { why: 'the controller wrote it and writes it anew', now: 'nothing' },
    { kind: 'remove', at },
  );
}

function askAboutLaunchTemplate(revision: Revision, spec: Path): void {
  const at = [...spec, 'launchTemplate'];
  const name = revision.at(...at);
  if (name === undefined) return;
  const question = `what of launch template ${JSON.stringify(name)} is still needed? write it as userData, blockDeviceMappings, metadataOptions and tags, then remove launchTemplate`;
  revision.ask(at, question, {
    why: 'launch templates of your own are not used since v1beta1',
    now: 'the API server refuses the field or drops it until it is answered',
  });
}

function askForRole(revision: Revision, spec: Path): void {
  const names = ['role', 'instanceProfile'];
  if (names.some((name) => revision.has(...spec, name))) return;
  revision.ask(
    [...spec, 'role'],
    'which IAM role do nodes get? write role, or instanceProfile for a profile of your own',
    {
      why: 'v1 wants a role or an instance profile; the settings no longer hold a default',
      now: 'the API server refuses it until it is answered',
    },
  );
}

/** The default was 2 and is 1: pods would lose the instance metadata without a word. */
function keepHopLimit(revision: Revision, spec: Path): void {
  const options = revision.at(...spec, 'metadataOptions');
  if (options !== undefined && !isMap(options)) return;
  const at = [...spec, 'metadataOptions', 'httpPutResponseHopLimit'];
  if (revision.has(...at)) return;
  revision.change(
    {
      why: 'the default was 2 and is 1 in v1',
      now: 'nothing; leave the line out to keep pods from the instance metadata',
    },
    { kind: 'set', at, value: 2 },
  );
}

function dropOwnTags(revision: Revision, spec: Path): void {
  const key = 'eks:eks-cluster-name';
  if (!Object.hasOwn(mapAt(revision.at(...spec, 'tags'), []), key)) return;
  revision.change(
    {
      why: 'v1 sets this tag itself and refuses it here',
      now: 'instances carry the tag as before',
    },
    { kind: 'remove', at: [...spec, 'tags', key] },
  );
}
