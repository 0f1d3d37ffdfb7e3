import type { NodeBootstrap } from '../node-bootstrap.ts';
import { parseTaint } from './kubelet-flags.ts';
import { parseToml, type TomlTable, type TomlValue } from './toml.ts';

/** Reads `settings.kubernetes`; undefined if the text is not TOML with such a table. */
export function bootstrapFromToml(text: string): Partial<NodeBootstrap> | undefined {
  const root = parseToml(text);
  const settings = tableIn(root, 'settings');
  const kubernetes = tableIn(settings, 'kubernetes');
  if (kubernetes === undefined) return undefined;
  const clusterName = textIn(kubernetes, 'cluster-name');
  const endpoint = textIn(kubernetes, 'api-server');
  const maxPods = kubernetes['max-pods'];
  const dns = kubernetes['cluster-dns-ip'];
  return {
    family: 'bottlerocket',
    ...(clusterName !== undefined && { clusterName }),
    ...(endpoint !== undefined && { apiServerEndpoint: endpoint }),
    certificateAuthority: textIn(kubernetes, 'cluster-certificate'),
    clusterDns: Array.isArray(dns) ? String(dns[0]) : textIn(kubernetes, 'cluster-dns-ip'),
    labels: texts(tableIn(kubernetes, 'node-labels')) ?? {},
    taints: taintsOf(tableIn(kubernetes, 'node-taints')),
    maxPods: maxPods === undefined ? undefined : Number(maxPods),
    kubeReserved: texts(tableIn(kubernetes, 'kube-reserved')),
    systemReserved: texts(tableIn(kubernetes, 'system-reserved')),
    evictionHard: texts(tableIn(kubernetes, 'eviction-hard')),
  };
}

/** `key = ["value:Effect", …]`. */
function taintsOf(table: TomlTable | undefined): NodeBootstrap['taints'] {
  return Object.entries(table ?? {}).flatMap(([key, value]) => {
    const entries = Array.isArray(value) ? value : [value];
    return entries.flatMap((entry) => {
      const text = String(entry);
      return parseTaint(text.startsWith(':') ? `${key}${text}` : `${key}=${text}`);
    });
  });
}

function tableIn(table: TomlTable | undefined, key: string): TomlTable | undefined {
  const value = table?.[key];
  return isTable(value) ? value : undefined;
}

function textIn(table: TomlTable, key: string): string | undefined {
  const value = table[key];
  return value === undefined || isTable(value) ? undefined : String(value);
}

function texts(table: TomlTable | undefined): Readonly<Record<string, string>> | undefined {
  if (table === undefined) return undefined;
  return Object.fromEntries(Object.entries(table).map(([key, value]) => [key, String(value)]));
}

function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value);
}
