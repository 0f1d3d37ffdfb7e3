import type { Option } from 'commander';
import type { AwsSettings } from '../adapters/aws/settings.ts';
import type { FeatureGates } from '../controllers/feature-gates.ts';
import { flagOrEnv, share, trueOrFalse, wholeNumber } from './arguments.ts';

export interface AwsFlags {
  readonly clusterName: string;
  readonly clusterEndpoint?: string;
  readonly clusterCaBundle?: string;
  readonly interruptionQueue?: string;
  readonly region?: string;
  readonly vmMemoryOverheadPercent: number;
  readonly reservedEnis: number;
  readonly isolatedVpc: boolean;
  readonly disableDryRun: boolean;
  readonly enableZonalShift: boolean;
  readonly allTypeMetrics: boolean;
  readonly rebalance: 'tell' | 'replace';
  readonly featureGates: FeatureGates;
}

/** What the controller must be told about its cluster and its account. */
export function awsOptions(): readonly Option[] {
  const isTrue = (flags: string, description: string, env: string): Option =>
    flagOrEnv(`${flags} <bool>`, description, env).argParser(trueOrFalse).default(false);
  return [
    flagOrEnv(
      '--cluster-name <name>',
      'name of the EKS cluster',
      'CLUSTER_NAME',
    ).makeOptionMandatory(),
    flagOrEnv(
      '--cluster-endpoint <url>',
      'what nodes join; asked of EKS by default',
      'CLUSTER_ENDPOINT',
    ),
    flagOrEnv(
      '--cluster-ca-bundle <base64>',
      'what nodes trust; asked of EKS by default',
      'CLUSTER_CA_BUNDLE',
    ),
    flagOrEnv(
      '--interruption-queue <name>',
      'SQS queue with interruption notices',
      'INTERRUPTION_QUEUE',
    ),
    flagOrEnv(
      '--rebalance <action>',
      'on a recommendation to leave a spot machine: only tell, or replace it',
      'REBALANCE',
    )
      .choices(['tell', 'replace'])
      .default('tell'),
    flagOrEnv('--region <region>', 'AWS region', 'AWS_REGION'),
    flagOrEnv(
      '--vm-memory-overhead-percent <share>',
      'memory that the hypervisor keeps',
      'VM_MEMORY_OVERHEAD_PERCENT',
    )
      .argParser(share)
      .default(0.075),
    flagOrEnv(
      '--reserved-enis <count>',
      'interfaces per node that are not for pods',
      'RESERVED_ENIS',
    )
      .argParser(wholeNumber)
      .default(0),
    isTrue('--isolated-vpc', 'there is no route to the Pricing API', 'ISOLATED_VPC'),
    isTrue(
      '--disable-dry-run',
      'take node classes as valid without rehearsing a launch',
      'DISABLE_DRY_RUN',
    ),
    isTrue(
      '--enable-zonal-shift',
      'buy nothing in zones that people shift away from',
      'ENABLE_ZONAL_SHIFT',
    ),
    isTrue(
      '--all-type-metrics',
      'gauges for every type on sale, some ten thousand series',
      'ALL_TYPE_METRICS',
    ),
  ];
}

export function awsSettings(flags: AwsFlags): AwsSettings {
  if (flags.region === undefined) {
    throw new Error('no AWS region: pass --region or set AWS_REGION');
  }
  return {
    clusterName: flags.clusterName,
    region: flags.region,
    clusterEndpoint: flags.clusterEndpoint,
    clusterCaBundle: flags.clusterCaBundle,
    interruptionQueue: flags.interruptionQueue === '' ? undefined : flags.interruptionQueue,
    vmMemoryOverheadPercent: flags.vmMemoryOverheadPercent,
    reservedEnis: flags.reservedEnis,
    isIsolatedVpc: flags.isolatedVpc,
    isDryRunDisabled: flags.disableDryRun,
    isZonalShiftEnabled: flags.enableZonalShift,
    hasAllTypeMetrics: flags.allTypeMetrics,
    hasReservedCapacity: flags.featureGates.reservedCapacity,
  };
}
