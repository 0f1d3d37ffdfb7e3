import { parseDuration } from '../decode/duration.ts';
import { annotationsOf, keptIn } from './annotations.ts';
import { goDuration, goJson, sortedMap } from './go-json.ts';
import { field, isPlain, objectAt, type Plain, pick, textAt, valueAt } from './plain.ts';

/** Parts that pools and claims of both versions have in common. */

/** The object cannot be read as the version that it says it is. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

/** The reference with a group; what v1beta1 left out means the node class of AWS. */
export function refToV1(ref: unknown): Plain {
  if (!isPlain(ref)) return { kind: '', name: '', group: '' };
  const [group = ''] = textAt(ref, 'apiVersion').split('/');
  return {
    kind: textAt(ref, 'kind') || 'EC2NodeClass',
    name: textAt(ref, 'name'),
    group: group || 'karpenter.k8s.aws',
  };
}

/**
 * The reference as v1beta1 wrote it, where it still means the same; else its kind and name. The
 * original shows the old one even after the reference was changed.
 */
export function refToV1beta1(object: Plain, ref: unknown): Plain {
  const written = parsed(object, keptIn.nodeClassRef);
  const isSame = isPlain(written) && goJson(refToV1(written)) === goJson(inOrder(ref));
  if (isSame) return written;
  return { ...field('kind', textAt(ref, 'kind')), name: textAt(ref, 'name') };
}

function inOrder(ref: unknown): Plain {
  return { kind: textAt(ref, 'kind'), name: textAt(ref, 'name'), group: textAt(ref, 'group') };
}

/** What v1 keeps of a v1beta1 reference and kubelet, which have no fields there. */
export function keptOf(spec: Plain): Readonly<Record<string, string | undefined>> {
  const { kubelet, nodeClassRef } = spec;
  return {
    [keptIn.kubelet]: isPlain(kubelet) ? goJson(orderedKubelet(kubelet)) : undefined,
    [keptIn.nodeClassRef]: goJson(isPlain(nodeClassRef) ? orderedRef(nodeClassRef) : null),
  };
}

/** The kubelet settings of a v1beta1 pool or claim, from where v1 keeps them. */
export function kubeletToV1beta1(object: Plain): Plain {
  return field('kubelet', parsed(object, keptIn.kubelet));
}

function parsed(object: Plain, annotation: string): unknown {
  const text = annotationsOf(object)[annotation] ?? '';
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ConversionError(`reading annotation ${annotation}: ${error.message}`, {
      cause: error,
    });
  }
}

function orderedRef(ref: Plain): Plain {
  return {
    ...field('kind', ref.kind),
    name: textAt(ref, 'name'),
    ...field('apiVersion', ref.apiVersion),
  };
}

const kubeletFields = [
  'clusterDNS',
  'maxPods',
  'podsPerCore',
  'systemReserved',
  'kubeReserved',
  'evictionHard',
  'evictionSoft',
  'evictionSoftGracePeriod',
  'evictionMaxPodGracePeriod',
  'imageGCHighThresholdPercent',
  'imageGCLowThresholdPercent',
  'cpuCFSQuota',
];

/** The annotation is compared as text by tools that keep manifests, so it is written as ever. */
function orderedKubelet(kubelet: Plain): Plain {
  const fields = Object.entries(pick(kubelet, kubeletFields)).map(([key, value]) => [
    key,
    key === 'evictionSoftGracePeriod' ? graceful(value) : sortedMap(value),
  ]);
  return Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)));
}

function graceful(periods: unknown): unknown {
  if (!isPlain(periods)) return periods;
  const written = Object.entries(periods).map(([signal, period]) => {
    const ms = parseDuration(String(period));
    return [signal, ms === undefined ? period : goDuration(ms)];
  });
  return sortedMap(Object.fromEntries(written));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Requirements are written the same way in both versions; the list is always there. */
export function requirements(spec: Plain): Plain {
  const list = valueAt(spec, ['requirements']);
  return { requirements: Array.isArray(list) ? list : [] };
}

export function specOf(object: Plain): Plain {
  return objectAt(object, 'spec');
}
