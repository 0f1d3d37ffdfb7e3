import { isList, isMap, type Path, type Value, valueAt } from '../value.ts';
import { type KubeletGiver, settleKubelets } from './kubelet.ts';
import { reviseNodeClass } from './node-class.ts';
import { type LooseKubelet, reviseNodeClaim, reviseNodePool } from './node-pool.ts';
import { reviseProvisioner } from './provisioner.ts';
import { type Change, Revision } from './revision.ts';
import { isWorkload, reviseWorkload } from './workload.ts';

/** An object of a document, and how it comes to v1. */
export interface Modernised {
  readonly kind: string;
  readonly name: string;
  /** Where the object stands in its document: `items[2]` in a List. */
  readonly at: Path;
  readonly changes: readonly Change[];
  /** The object as it should be now. */
  readonly object: Value;
  /** An EC2NodeClass that had stood inside of it; its changes are made, its questions still open. */
  readonly added?: { readonly object: Value; readonly changes: readonly Change[] } | undefined;
}

/**
 * Brings documents that belong together to v1: whatever is old or misspelt in Karpenter's kinds, and
 * Karpenter's annotations and labels in workloads. All else stays as it is, and every value that does
 * not come through is named in a change. Together, since kubelet settings move from pools to classes.
 * The answer has one list for each document.
 */
export function modernise(documents: readonly Value[]): readonly (readonly Modernised[])[] {
  const drafts = documents.map((document) => objectsOf(document).map(draftOf));
  const all = drafts.flat();
  const givers = all.flatMap(({ revision, kubelet }): KubeletGiver[] =>
    kubelet === undefined ? [] : [{ ...kubelet, revision }],
  );
  const classes = all.flatMap(({ revision, nodeClass }) => [
    ...(nodeClass === undefined ? [] : [nodeClass]),
    ...(revision.at('kind') === 'EC2NodeClass' ? [revision] : []),
  ]);
  settleKubelets(givers, classes);
  return drafts.map((list) => list.map(finished));
}

interface Place {
  readonly at: Path;
  readonly object: Value;
}

/** The objects of a document: its own, or the items of a List. */
export function objectsOf(document: Value): readonly Place[] {
  const items = valueAt(document, ['items']);
  const kind = valueAt(document, ['kind']);
  if (typeof kind !== 'string') return [];
  if (!kind.endsWith('List') || !isList(items)) return [{ at: [], object: document }];
  return items.map((object, index) => ({ at: ['items', index], object }));
}

interface Draft {
  readonly at: Path;
  readonly revision: Revision;
  readonly kubelet?: LooseKubelet | undefined;
  readonly nodeClass?: Revision | undefined;
}

function draftOf({ at, object }: Place): Draft {
  const revision = new Revision(object);
  if (!isMap(object)) return { at, revision };
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return { at, revision };
  switch (`${apiVersion} ${kind}`) {
    case 'karpenter.sh/v1alpha5 Provisioner':
      return { at, revision, ...reviseProvisioner(revision) };
    case 'karpenter.sh/v1beta1 NodePool':
      return { at, revision, kubelet: reviseNodePool(revision, 'v1beta1') };
    case 'karpenter.sh/v1 NodePool':
      return { at, revision, kubelet: reviseNodePool(revision, 'v1') };
    case 'karpenter.sh/v1beta1 NodeClaim':
      reviseNodeClaim(revision, 'v1beta1');
      return { at, revision };
    case 'karpenter.sh/v1 NodeClaim':
      reviseNodeClaim(revision, 'v1');
      return { at, revision };
    case 'karpenter.k8s.aws/v1alpha1 AWSNodeTemplate':
      reviseNodeClass(revision, 'v1alpha1');
      return { at, revision };
    case 'karpenter.k8s.aws/v1beta1 EC2NodeClass':
      reviseNodeClass(revision, 'v1beta1');
      return { at, revision };
    case 'karpenter.k8s.aws/v1 EC2NodeClass':
      reviseNodeClass(revision, 'v1');
      return { at, revision };
    case 'karpenter.sh/v1alpha5 Machine':
      remarkMachine(revision);
      return { at, revision };
    default:
      if (isWorkload(apiVersion, kind)) reviseWorkload(revision, kind);
      return { at, revision };
  }
}

function remarkMachine(revision: Revision): void {
  revision.remark([], 'the Machine is left as it is', {
    why: 'Machines are made by the controller; it makes NodeClaims now',
    now: 'delete the Machine once its node has been drained',
  });
}

function finished({ at, revision, nodeClass }: Draft): Modernised {
  const name = revision.at('metadata', 'name');
  const kind = revision.at('kind');
  return {
    kind: typeof kind === 'string' ? kind : '',
    name: typeof name === 'string' ? name : '',
    at,
    changes: revision.changes,
    object: revision.object,
    added: nodeClass && { object: nodeClass.object, changes: nodeClass.changes },
  };
}
