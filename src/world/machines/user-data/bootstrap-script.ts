import type { NodeBootstrap } from '../node-bootstrap.ts';
import { parseKubeletFlags, shellWords } from './kubelet-flags.ts';

const scriptPath = '/etc/eks/bootstrap.sh';

/** Reads the last call of the bootstrap script; undefined if the text has none. */
export function bootstrapFromScript(text: string): Partial<NodeBootstrap> | undefined {
  const start = text.lastIndexOf(scriptPath);
  if (start < 0) return undefined;
  const command = firstCommand(text.slice(start + scriptPath.length));
  const words = shellWords(command);
  const option = (name: string): string | undefined => {
    const index = words.indexOf(name);
    if (index >= 0) return words[index + 1];
    return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  };
  const clusterName = words[0]?.startsWith('--') ? undefined : words[0];
  const endpoint = option('--apiserver-endpoint');
  const flags = parseKubeletFlags(shellWords(option('--kubelet-extra-args') ?? ''));
  return {
    family: 'al2',
    ...(clusterName !== undefined && { clusterName }),
    ...(endpoint !== undefined && { apiServerEndpoint: endpoint }),
    certificateAuthority: option('--b64-cluster-ca'),
    clusterDns: option('--dns-cluster-ip'),
    ...flags,
    taints: flags.taints ?? [],
  };
}

/** Up to the end of the line that is not continued, quotes respected. */
function firstCommand(text: string): string {
  let quote = '';
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '\\') index++;
    else if (character === '\n' || character === ';') return text.slice(0, index);
  }
  return text;
}
