import { type Bootstrap, pairs, taintText } from './bootstrap.ts';

/** Kubelet's command line, for images that take no configuration file. */
export function kubeletFlags(bootstrap: Bootstrap): string {
  const { kubelet } = bootstrap;
  const flags: (string | undefined)[] = [
    `--node-labels="${pairs(bootstrap.labels)}"`,
    `--register-with-taints="${bootstrap.taints.map(taintText).join(',')}"`,
    `--max-pods=${bootstrap.maxPods}`,
    plain('pods-per-core', kubelet.podsPerCore),
    mapped('system-reserved', kubelet.systemReserved, '='),
    mapped('kube-reserved', kubelet.kubeReserved, '='),
    mapped('eviction-hard', kubelet.evictionHard, '<'),
    mapped('eviction-soft', kubelet.evictionSoft, '<'),
    mapped('eviction-soft-grace-period', kubelet.evictionSoftGracePeriod, '='),
    plain('eviction-max-pod-grace-period', kubelet.evictionMaxPodGracePeriod),
    plain('image-gc-high-threshold', kubelet.imageGCHighThresholdPercent),
    plain('image-gc-low-threshold', kubelet.imageGCLowThresholdPercent),
    plain('cpu-cfs-quota', kubelet.cpuCFSQuota),
  ];
  return flags.filter((flag) => flag !== undefined).join(' ');
}

function plain(name: string, value: number | boolean | undefined): string | undefined {
  return value === undefined ? undefined : `--${name}=${value}`;
}

function mapped(
  name: string,
  map: Readonly<Record<string, string>> | undefined,
  separator: string,
): string | undefined {
  if (map === undefined || Object.keys(map).length === 0) return undefined;
  return `--${name}="${pairs(map, separator)}"`;
}
