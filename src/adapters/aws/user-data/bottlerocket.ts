import { CloudError } from '../../../ports/cloud-provider.ts';
import type { Bootstrap } from './bootstrap.ts';
import { parseToml, TomlSyntaxError, type TomlTable, writeToml } from './toml.ts';

/** Settings of the user with ours laid over `settings.kubernetes`; other tables pass through. */
export function bottlerocketUserData(bootstrap: Bootstrap): string {
  const user = readUserSettings(bootstrap.userData);
  const settings = table(user.settings);
  const theirs = table(settings.kubernetes);
  const merged: TomlTable = {
    ...user,
    settings: {
      ...settings,
      ...(bootstrap.hasLocalRaid
        ? { 'bootstrap-commands': raid(settings, bootstrap.imageVersion) }
        : {}),
      kubernetes: {
        ...known(theirs),
        ...kubernetesSettings(bootstrap),
        'node-labels': { ...table(theirs['node-labels']), ...bootstrap.labels },
        'node-taints': taints(bootstrap),
      },
    },
  };
  return writeToml(merged);
}

function readUserSettings(text: string | undefined): TomlTable {
  try {
    return parseToml(text ?? '');
  } catch (error) {
    if (!(error instanceof TomlSyntaxError)) throw error;
    throw new CloudError(
      'node-class-not-ready',
      'UserDataInvalid',
      `reading userData: ${error.message}`,
      { cause: error },
    );
  }
}

function kubernetesSettings({ cluster, clusterDns, kubelet, maxPods }: Bootstrap): TomlTable {
  return present({
    'cluster-name': cluster.name,
    'api-server': cluster.endpoint,
    'cluster-certificate': cluster.caBundle,
    'cluster-dns-ip': clusterDns[0],
    'max-pods': maxPods,
    'system-reserved': kubelet.systemReserved,
    'kube-reserved': kubelet.kubeReserved,
    'eviction-hard': kubelet.evictionHard,
    'eviction-soft': kubelet.evictionSoft,
    'eviction-soft-grace-period': kubelet.evictionSoftGracePeriod,
    'eviction-max-pod-grace-period': kubelet.evictionMaxPodGracePeriod,
    'image-gc-high-threshold-percent': asText(kubelet.imageGCHighThresholdPercent),
    'image-gc-low-threshold-percent': asText(kubelet.imageGCLowThresholdPercent),
    'cpu-cfs-quota-enforced': kubelet.cpuCFSQuota,
  });
}

function asText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function taints(bootstrap: Bootstrap): TomlTable {
  const byKey: Record<string, string[]> = {};
  for (const taint of bootstrap.taints) {
    const values = byKey[taint.key] ?? [];
    values.push(`${taint.value ?? ''}:${taint.effect}`);
    byKey[taint.key] = values;
  }
  return byKey;
}

function raid(settings: TomlTable, imageVersion: string | undefined): TomlTable {
  const folders = ['/var/lib/containerd', '/var/lib/kubelet', '/var/log/pods'];
  const dirs = knowsItsFolders(imageVersion) ? [] : ['--dirs', ...folders];
  return {
    ...table(settings['bootstrap-commands']),
    '000-mount-instance-storage': {
      commands: [
        ['apiclient', 'ephemeral-storage', 'init'],
        ['apiclient', 'ephemeral-storage', 'bind', ...dirs],
      ],
      mode: 'always',
      essential: true,
    },
  };
}

/** Since 1.46 the image knows by itself which folders belong on local disks. */
function knowsItsFolders(imageVersion: string | undefined): boolean {
  if (imageVersion === 'latest') return true;
  const [major = 0, minor = 0] = (imageVersion ?? '').split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 46);
}

/** The image refuses to boot on a key that it does not know. */
function known(theirs: TomlTable): TomlTable {
  return Object.fromEntries(Object.entries(theirs).filter(([key]) => knownKeys.has(key)));
}

const knownKeys: ReadonlySet<string> = new Set(
  (
    'api-server cloud-provider cluster-certificate cluster-name cluster-dns-ip credential-providers ' +
    'node-labels node-taints max-pods static-pods eviction-hard eviction-soft ' +
    'eviction-soft-grace-period eviction-max-pod-grace-period kube-reserved system-reserved ' +
    'allowed-unsafe-sysctls server-tls-bootstrap registry-qps registry-burst event-qps event-burst ' +
    'kube-api-qps kube-api-burst container-log-max-size container-log-max-files ' +
    'container-log-max-workers container-log-monitor-interval cpu-manager-policy ' +
    'cpu-manager-policy-options cpu-manager-reconcile-period memory-manager-policy ' +
    'memory-manager-reserved-memory topology-manager-scope topology-manager-policy ' +
    'topology-manager-policy-options image-gc-high-threshold-percent ' +
    'image-gc-low-threshold-percent ids-per-pod cpu-cfs-quota-enforced shutdown-grace-period ' +
    'shutdown-grace-period-for-critical-pods cluster-domain seccomp-default pod-pids-limit ' +
    'device-ownership-from-security-context single-process-oom-kill hostname-override-source log-level'
  ).split(' '),
);

function table(value: TomlTable[string] | undefined): TomlTable {
  return typeof value === 'object' && !Array.isArray(value) ? (value as TomlTable) : {};
}

function present(fields: Readonly<Record<string, TomlTable[string] | undefined>>): TomlTable {
  const kept: Record<string, TomlTable[string]> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}
