/** What the adapter must know about its cluster and its account. */
export interface AwsSettings {
  readonly clusterName: string;
  readonly region: string;
  /** Left out, EKS is asked for endpoint, certificate, version and service range. */
  readonly clusterEndpoint?: string | undefined;
  /** Base64. */
  readonly clusterCaBundle?: string | undefined;
  /** `1.36`; chooses the images behind an alias. */
  readonly kubernetesVersion?: string | undefined;
  /** The range of Service addresses, which AL2023 wants to know. */
  readonly serviceCidr?: string | undefined;
  /** The cluster address of kube-dns, for kubelets; left out, the image's own default applies. */
  readonly clusterDns?: string | undefined;
  /** Name of the SQS queue; without one there is nothing to listen to. */
  readonly interruptionQueue?: string | undefined;
  /** Share of memory that the hypervisor is assumed to keep: 0.075 unless told otherwise. */
  readonly vmMemoryOverheadPercent?: number | undefined;
  /** Interfaces per instance that are not for pods. */
  readonly reservedEnis?: number | undefined;
  /** Whether capacity reservations are bought from; yes unless told otherwise. */
  readonly hasReservedCapacity?: boolean | undefined;
  /** Whether zones that people shift away from get no new machines. */
  readonly isZonalShiftEnabled?: boolean | undefined;
  /** Whether gauges tell of every type on sale, some ten thousand series, and not only of those in use. */
  readonly hasAllTypeMetrics?: boolean | undefined;
  /** Takes node classes as valid without rehearsing a launch. */
  readonly isDryRunDisabled?: boolean | undefined;
  /** No route to the Pricing API. */
  readonly isIsolatedVpc?: boolean | undefined;
  /** How long a launch template may lie unused before it is collected: 20 s by default, since making one again costs a single call. */
  readonly launchTemplateIdleMs?: number | undefined;
}
