import type { NodeBootstrap, NotBootable } from '../node-bootstrap.ts';
import { bootstrapFromScript } from './bootstrap-script.ts';
import { bootstrapFromToml } from './bottlerocket.ts';
import { mimeParts } from './mime.ts';
import { bootstrapFromConfigs, nodeConfigs } from './node-config.ts';
import { bootstrapFromPowerShell } from './powershell.ts';

/**
 * How the instance would join its cluster, as the images of the families read their user data:
 * NodeConfig documents (the last wins field by field), the bootstrap script of Linux or of Windows,
 * or settings.
 */
export function parseUserData(userData: string): NodeBootstrap | NotBootable {
  const text = userData.replaceAll('\r\n', '\n');
  const parts = mimeParts(text) ?? [{ contentType: 'text/plain', body: text }];
  const configs = parts
    .filter(({ contentType }) => contentType !== 'text/x-shellscript')
    .flatMap(({ body }) => nodeConfigs(body));
  if (configs.length > 0) return complete(bootstrapFromConfigs(configs));
  const calls = parts.flatMap(({ body }) => bootstrapFromScript(body) ?? []);
  const call = calls.at(-1);
  if (call !== undefined) return complete(call);
  const windows = bootstrapFromPowerShell(text);
  if (windows !== undefined) return complete(windows);
  const settings = bootstrapFromToml(text);
  if (settings !== undefined) return complete(settings);
  return { kind: 'not-bootable', reason: 'user data of no family that we know' };
}

export function isBootable(answer: NodeBootstrap | NotBootable): answer is NodeBootstrap {
  return !('kind' in answer);
}

function complete(found: Partial<NodeBootstrap>): NodeBootstrap | NotBootable {
  const { clusterName, apiServerEndpoint, family } = found;
  if (!clusterName) return { kind: 'not-bootable', reason: 'no cluster name in user data' };
  if (!apiServerEndpoint)
    return { kind: 'not-bootable', reason: 'no API server endpoint in user data' };
  return {
    labels: {},
    taints: [],
    ...found,
    family: family ?? 'al2023',
    clusterName,
    apiServerEndpoint,
  };
}
