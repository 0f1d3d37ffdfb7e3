import type { DefaultSpread } from '../api/decode/default-spread.ts';
import type { SolveSettings } from '../core/scheduling/solve.ts';
import type { Clock } from '../ports/clock.ts';
import type { CloudProvider, InterruptionQueue } from '../ports/cloud-provider.ts';
import type { KubeClient } from '../ports/kube.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Random } from '../ports/random.ts';
import type { DecisionRecorder, EventPublisher } from '../ports/recorder.ts';
import type { FeatureGates } from './feature-gates.ts';

/** Everything that Karpenter needs of the world. */
export interface KarpenterPorts {
  readonly kube: KubeClient;
  readonly cloud: CloudProvider;
  /** Without it, interruptions are noticed only by their effects. */
  readonly interruptions?: InterruptionQueue | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly decisions: DecisionRecorder;
  readonly events: EventPublisher;
}

export interface KarpenterSettings {
  readonly clusterName: string;
  /** How long no new pod must come before a batch is planned; 1 s unless told. */
  readonly batchIdleMs?: number | undefined;
  /** How long a batch may grow at most; 10 s unless told. */
  readonly batchMaxMs?: number | undefined;
  /** Without it this process acts alone. */
  readonly leaderElection?: LeaderElectionSettings | undefined;
  /** The node that Karpenter itself runs on; it is never disrupted. */
  readonly ownNodeName?: string | undefined;
  /** How places are chosen; the engine's defaults where not given. */
  readonly scheduling?: SolveSettings | undefined;
  /** How the cluster's kube-scheduler spreads pods that do not say; it cannot be asked. */
  readonly defaultSpread?: readonly DefaultSpread[] | undefined;
  /** Pods are not told which node they were planned for; the kube-scheduler chooses alone. */
  readonly isNominationDisabled?: boolean | undefined;
  /** What is switched on beyond the ordinary; the original's defaults where not given. */
  readonly featureGates?: Partial<FeatureGates> | undefined;
  /** What a recommendation to leave a spot machine leads to: an event, unless told. */
  readonly rebalance?: 'tell' | 'replace' | undefined;
  /** What machines trust, in base64: it counts towards the drift hash of an EC2NodeClass. */
  readonly clusterCaBundle?: string | undefined;
}

export interface LeaderElectionSettings {
  readonly identity: string;
  readonly namespace: string;
  readonly name: string;
}
