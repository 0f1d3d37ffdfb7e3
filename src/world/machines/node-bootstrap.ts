import type { TaintObject } from '../../api/kubernetes/core.ts';

/** What an instance learns from its user data: which cluster to join and how. */
export interface NodeBootstrap {
  readonly family: 'al2023' | 'al2' | 'bottlerocket' | 'windows';
  readonly clusterName: string;
  readonly apiServerEndpoint: string;
  /** Base64, as it stands in the user data. */
  readonly certificateAuthority?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly TaintObject[];
  readonly maxPods?: number | undefined;
  readonly kubeReserved?: Readonly<Record<string, string>> | undefined;
  readonly systemReserved?: Readonly<Record<string, string>> | undefined;
  /** Thresholds by signal: `memory.available` to `100Mi` or `5%`. */
  readonly evictionHard?: Readonly<Record<string, string>> | undefined;
  readonly clusterDns?: string | undefined;
}

/** What `parseUserData` answers for text that makes no node; the machine then joins no cluster. */
export interface NotBootable {
  readonly kind: 'not-bootable';
  readonly reason: string;
}
