import type { Option } from 'commander';
import type { DefaultSpread } from '../api/decode/default-spread.ts';
import {
  defaultGates,
  type FeatureGates,
  parseFeatureGates,
} from '../controllers/feature-gates.ts';
import type { KarpenterSettings } from '../controllers/karpenter.ts';
import { flagOrEnv, zeroOrMore } from './arguments.ts';
import { schedulerConfig } from './scheduler-config.ts';

export interface PlanningFlags {
  readonly preferencePolicy: 'Respect' | 'Ignore';
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  readonly featureGates: FeatureGates;
  readonly caution: number;
  readonly schedulerConfig: readonly DefaultSpread[];
}

/** How places are chosen: the same for the controller and for those who ask beforehand. */
export function planningOptions(): readonly Option[] {
  return [
    flagOrEnv(
      '--preference-policy <policy>',
      'whether what pods would merely like is honoured while it can be',
      'PREFERENCE_POLICY',
    )
      .choices(['Respect', 'Ignore'])
      .default('Respect'),
    flagOrEnv(
      '--min-values-policy <policy>',
      'whether minValues of a pool must hold, or as much of it as can be had',
      'MIN_VALUES_POLICY',
    )
      .choices(['Strict', 'BestEffort'])
      .default('Strict'),
    flagOrEnv(
      '--feature-gates <list>',
      'what to switch on or off, as in NodeOverlay=true,CapacityBuffer=true',
      'FEATURE_GATES',
    )
      .argParser(parseFeatureGates)
      .default(defaultGates, 'those of the original'),
    flagOrEnv(
      '--caution <number>',
      'what the loss of a node is held to cost: 0 buys by price alone, more buys smaller machines',
      'CAUTION',
    )
      .argParser(zeroOrMore)
      .default(0.2),
    flagOrEnv(
      '--scheduler-config <yaml>',
      'the podTopologySpread.defaultConstraints of the kube-scheduler, if it has any',
      'SCHEDULER_CONFIG',
    )
      .argParser(schedulerConfig)
      .default([], 'none'),
  ];
}

export function planningSettings(
  flags: PlanningFlags,
): Pick<KarpenterSettings, 'scheduling' | 'defaultSpread' | 'featureGates'> {
  const { preferencePolicy, minValuesPolicy, caution, featureGates } = flags;
  return {
    scheduling: { preferencePolicy, minValuesPolicy, caution },
    defaultSpread: flags.schedulerConfig.length > 0 ? flags.schedulerConfig : undefined,
    featureGates,
  };
}
