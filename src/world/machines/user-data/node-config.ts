import { parseAllDocuments } from 'yaml';
import type { TaintObject } from '../../../api/kubernetes/core.ts';
import type { NodeBootstrap } from '../node-bootstrap.ts';
import { parseKubeletFlags, shellWords } from './kubelet-flags.ts';

interface NodeConfig {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly spec?: {
    readonly cluster?: {
      readonly name?: string;
      readonly apiServerEndpoint?: string;
      readonly certificateAuthority?: string;
    };
    readonly kubelet?: {
      readonly config?: {
        readonly maxPods?: number;
        readonly clusterDNS?: readonly string[];
        readonly kubeReserved?: Readonly<Record<string, string>>;
        readonly systemReserved?: Readonly<Record<string, string>>;
        readonly evictionHard?: Readonly<Record<string, string>>;
        readonly registerWithTaints?: readonly TaintObject[];
      };
      readonly flags?: readonly string[];
    };
  };
}

/** The NodeConfig documents in a text; none if it is not YAML or holds other kinds. */
export function nodeConfigs(text: string): readonly NodeConfig[] {
  const configs: NodeConfig[] = [];
  for (const document of parseAllDocuments(text)) {
    if (document.errors.length > 0) return [];
    const value = document.toJS() as unknown;
    if (typeof value !== 'object' || value === null) continue;
    const config = value as NodeConfig;
    if (config.kind === 'NodeConfig' && config.apiVersion?.startsWith('node.eks.aws/'))
      configs.push(config);
  }
  return configs;
}

/** Merges the documents, later ones winning field by field, and reads the node out of the sum. */
export function bootstrapFromConfigs(configs: readonly NodeConfig[]): Partial<NodeBootstrap> {
  const merged = configs.reduce<NodeConfig>((sum, next) => merge(sum, next) as NodeConfig, {});
  const { cluster, kubelet } = merged.spec ?? {};
  const flags = parseKubeletFlags((kubelet?.flags ?? []).flatMap(shellWords));
  const config = kubelet?.config;
  return {
    family: 'al2023',
    ...(cluster?.name !== undefined && { clusterName: cluster.name }),
    ...(cluster?.apiServerEndpoint !== undefined && {
      apiServerEndpoint: cluster.apiServerEndpoint,
    }),
    certificateAuthority: cluster?.certificateAuthority,
    labels: flags.labels,
    taints: flags.taints ?? config?.registerWithTaints ?? [],
    maxPods: flags.maxPods ?? config?.maxPods,
    kubeReserved: flags.kubeReserved ?? config?.kubeReserved,
    systemReserved: flags.systemReserved ?? config?.systemReserved,
    evictionHard: flags.evictionHard ?? config?.evictionHard,
    clusterDns: config?.clusterDNS?.[0],
  };
}

/** Maps are merged, everything else is replaced; flags alone are collected. */
function merge(former: unknown, next: unknown, field = ''): unknown {
  if (next === undefined || next === null) return former;
  if (field === 'flags' && Array.isArray(former) && Array.isArray(next))
    return [...former, ...next];
  if (!isMap(former) || !isMap(next)) return next;
  const merged: Record<string, unknown> = { ...former };
  for (const [key, value] of Object.entries(next)) merged[key] = merge(former[key], value, key);
  return merged;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
