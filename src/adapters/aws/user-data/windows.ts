import type { Bootstrap } from './bootstrap.ts';
import { kubeletFlags } from './kubelet-flags.ts';

/** The user's commands and then the EKS bootstrap script, in the one block that Windows runs. */
export function windowsUserData(bootstrap: Bootstrap): string {
  const { cluster, clusterDns } = bootstrap;
  const [dns] = clusterDns;
  const own = bootstrap.userData?.trimEnd() ?? '';
  const call = [
    '& $EKSBootstrapScriptFile',
    `-EKSClusterName '${cluster.name}'`,
    `-APIServerEndpoint '${cluster.endpoint}'`,
    ...(cluster.caBundle === undefined ? [] : [`-Base64ClusterCA '${cluster.caBundle}'`]),
    `-KubeletExtraArgs '${kubeletFlags(bootstrap)}'`,
    ...(dns === undefined ? [] : [`-DNSClusterIP '${dns}'`]),
  ];
  return [
    '<powershell>',
    ...(own === '' ? [] : [own]),
    '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
    call.join(' '),
    '</powershell>',
  ].join('\n');
}
