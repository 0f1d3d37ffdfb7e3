import { filled, objectAt, omit, type Plain } from './plain.ts';

/** Annotations in which each version keeps what the other has no field for. */
export const keptIn = {
  /** On v1: the kubelet settings that v1beta1 has in pools and claims. */
  kubelet: 'compatibility.karpenter.sh/v1beta1-kubelet-conversion',
  /** On v1: the reference as v1beta1 wrote it, with its apiVersion. */
  nodeClassRef: 'compatibility.karpenter.sh/v1beta1-nodeclass-reference',
  /** On v1: what was made of an Ubuntu class. */
  ubuntu: 'compatibility.karpenter.k8s.aws/v1beta1-ubuntu',
  /** On v1beta1: the version of an alias. */
  aliasVersion: 'compatibility.karpenter.k8s.aws/v1-alias-version',
  /** On v1beta1: every value that only v1 has a field for. The original drops these. */
  v1: 'compatibility.karpenter.sh/v1-fields',
  /** On v1: the original's mark that an object is stored as v1. */
  migrated: 'karpenter.sh/stored-version-migrated',
} as const;

export function annotationsOf(object: Plain): Readonly<Record<string, string>> {
  const given = objectAt(object, 'metadata', 'annotations');
  const texts = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

/** The object's metadata with annotations changed: undefined takes one away. */
export function withAnnotations(
  object: Plain,
  change: Readonly<Record<string, string | undefined>>,
): Plain {
  const metadata = objectAt(object, 'metadata');
  const others = omit(objectAt(metadata, 'annotations'), Object.keys(change));
  const added = Object.entries(change).filter(([, value]) => value !== undefined);
  const annotations = { ...others, ...Object.fromEntries(added) };
  return { ...omit(metadata, ['annotations']), ...filled('annotations', annotations) };
}
