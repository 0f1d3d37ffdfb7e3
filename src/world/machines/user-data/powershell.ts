import type { NodeBootstrap } from '../node-bootstrap.ts';
import { parseKubeletFlags, shellWords } from './kubelet-flags.ts';

/** Reads the last call of the EKS script for Windows; undefined if the text has none. */
export function bootstrapFromPowerShell(text: string): Partial<NodeBootstrap> | undefined {
  if (!/^\s*<powershell>/.test(text)) return undefined;
  const calls = text.split('\n').filter((line) => /-EKSClusterName\b/i.test(line));
  const line = calls.at(-1);
  if (line === undefined) return undefined;
  const words = powerShellWords(line);
  const option = (name: string): string | undefined => {
    const index = words.findIndex((word) => word.toLowerCase() === `-${name.toLowerCase()}`);
    return index < 0 ? undefined : words[index + 1];
  };
  const clusterName = option('EKSClusterName');
  const endpoint = option('APIServerEndpoint');
  const flags = parseKubeletFlags(shellWords(option('KubeletExtraArgs') ?? ''));
  return {
    family: 'windows',
    ...(clusterName !== undefined && { clusterName }),
    ...(endpoint !== undefined && { apiServerEndpoint: endpoint }),
    certificateAuthority: option('Base64ClusterCA'),
    clusterDns: option('DNSClusterIP'),
    ...flags,
    taints: flags.taints ?? [],
  };
}

/** Words of one command; quotes keep words together, and nothing is escaped. */
function powerShellWords(line: string): readonly string[] {
  const words = line.match(/'[^']*'|"[^"]*"|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}
