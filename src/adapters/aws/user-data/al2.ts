import type { Bootstrap } from './bootstrap.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { isMime, type MimePart, readMime, shellScript, writeMime } from './mime.ts';

/** The EKS bootstrap script behind the user's own parts, which may prepare the machine first. */
export function al2UserData(bootstrap: Bootstrap): string {
  const script = { contentType: shellScript, content: bootstrapScript(bootstrap) };
  return writeMime([...userParts(bootstrap.userData), script]).replaceAll('\r', '');
}

function userParts(userData: string | undefined): readonly MimePart[] {
  if (userData === undefined || userData.trim() === '') return [];
  return isMime(userData) ? readMime(userData) : [{ contentType: shellScript, content: userData }];
}

function bootstrapScript(bootstrap: Bootstrap): string {
  const { cluster } = bootstrap;
  const dns = bootstrap.clusterDns[0];
  const options = [
    `--apiserver-endpoint '${cluster.endpoint}'`,
    ...(cluster.caBundle === undefined ? [] : [`--b64-cluster-ca '${cluster.caBundle}'`]),
    ...(dns?.includes(':') === true ? ['--ip-family ipv6'] : []),
    ...(dns === undefined ? [] : [`--dns-cluster-ip '${dns}'`]),
    '--use-max-pods false',
    `--kubelet-extra-args '${kubeletFlags(bootstrap)}'`,
    ...(bootstrap.hasLocalRaid ? ['--local-disks raid0'] : []),
  ];
  return [
    '#!/bin/bash -xe',
    'exec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1',
    `/etc/eks/bootstrap.sh '${cluster.name}' ${options.join(' \\\n')}`,
    '',
  ].join('\n');
}
