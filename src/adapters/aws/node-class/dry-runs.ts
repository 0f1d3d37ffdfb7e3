import {
  CreateFleetCommand,
  type FleetLaunchTemplateOverridesRequest,
  type ResourceType,
  RunInstancesCommand,
  type TagSpecification,
} from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { sleep } from '../../../ports/clock.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { codeOf } from '../calls/errors.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { type AwsContext, minuteMs } from '../context.ts';
import { canonicalJson, token } from '../launch/content-hash.ts';
import type { LaunchTemplates, WantedTemplate } from '../launch/launch-templates.ts';
import { type Finding, refused } from './finding.ts';
import { tagList } from './tags.ts';

/** A machine as it would be launched. */
export interface Rehearsal {
  readonly nodeClass: EC2NodeClass;
  readonly type: InstanceType;
  readonly template: WantedTemplate;
}

export interface DryRuns {
  /**
   * Whether EC2 would let us launch such a machine: makes its template and rehearses both ways of
   * starting it. What a person must repair is an answer, kept for half an hour or until the class
   * changes; outages and throttling reject.
   */
  check(rehearsal: Rehearsal): Promise<Finding<true>>;
}

/** Between rehearsals whose template EC2 did not know. */
const pausesMs = [0, 1_000, 3_000];

type Type = NonNullable<FleetLaunchTemplateOverridesRequest['InstanceType']>;

export function createDryRuns(context: AwsContext, templates: LaunchTemplates): DryRuns {
  const answers = new ExpiringMap<string, Finding<true>>(context.clock, 30 * minuteMs);

  /**
   * The template may have been deleted just after it was found; then it is made anew. And EC2 needs
   * a moment to tell all its parts of one that is new.
   */
  async function rehearse(rehearsal: Rehearsal): Promise<Finding<true>> {
    for (const pauseMs of pausesMs)
      try {
        return await rehearseOnce(rehearsal);
      } catch (error) {
        if (!/^InvalidLaunchTemplate(Name|Id)\.NotFound/.test(codeOf(error) ?? '')) throw error;
        await sleep(context.clock, pauseMs);
      }
    return rehearseOnce(rehearsal);
  }

  async function rehearseOnce(rehearsal: Rehearsal): Promise<Finding<true>> {
    const { nodeClass, template } = rehearsal;
    let names: readonly string[] = [];
    const making = async (): Promise<void> => {
      names = await templates.ensure([template], nodeClass.metadata.uid ?? '');
    };
    const steps = [
      ['CreateLaunchTemplateAuthCheckFailed', making],
      ['CreateFleetAuthCheckFailed', () => tryFleet(context, rehearsal, names[0] ?? '')],
      ['RunInstancesAuthCheckFailed', () => tryInstances(context, rehearsal, names[0] ?? '')],
    ] as const;
    try {
      for (const [reason, step] of steps) {
        const failure = await failureOf(step, reason, nodeClass);
        if (failure !== undefined) return failure;
      }
      return { value: true };
    } catch (error) {
      templates.forget(names);
      throw error;
    }
  }

  return {
    async check(rehearsal) {
      if (context.settings.isDryRunDisabled === true) return { value: true };
      const { metadata, spec, status } = rehearsal.nodeClass;
      const { conditions: _, ...resolved } = status ?? {};
      const key = `${metadata.name}/${metadata.uid}/${canonicalJson([spec, resolved])}`;
      const known = answers.get(key);
      if (known !== undefined) return known;
      const answer = await rehearse(rehearsal);
      answers.set(key, answer);
      return answer;
    },
  };
}

/** What a person must repair, as a refusal; undefined when it went well. All else is thrown. */
async function failureOf(
  work: () => Promise<void>,
  reason: string,
  { spec }: EC2NodeClass,
): Promise<Finding<never> | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.kind === 'unauthorized') return refused(reason, error.message);
    // One that we made ourselves will be there in a moment: IAM needs its time to tell everybody.
    if (spec.instanceProfile === undefined || !isProfileMissing(error)) throw error;
    return refused(
      'InstanceProfileNotFound',
      `instance profile ${spec.instanceProfile} does not exist; create it or correct spec.instanceProfile`,
    );
  }
}

function isProfileMissing(error: CloudError): boolean {
  return /Invalid IAM Instance Profile name/.test(error.message);
}

async function tryFleet(
  context: AwsContext,
  { nodeClass, type, template }: Rehearsal,
  name: string,
): Promise<void> {
  const command = new CreateFleetCommand({
    DryRun: true,
    ClientToken: token('rehearsal', name),
    Type: 'instant',
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: { LaunchTemplateName: name, Version: '$Latest' },
        Overrides: (nodeClass.status?.subnets ?? []).map(({ id }) => ({
          InstanceType: type.name as Type,
          SubnetId: id,
        })),
      },
    ],
    TargetCapacitySpecification: { DefaultTargetCapacityType: 'on-demand', TotalTargetCapacity: 1 },
    TagSpecifications: tagSpecifications(template, ['instance', 'volume', 'fleet']),
  });
  await rehearsed(context, 'CreateFleet', (abortSignal) =>
    context.clients.ec2.send(command, { abortSignal }),
  );
}

/** Until one subnet will do; when none does, the first one's trouble counts. */
async function tryInstances(
  context: AwsContext,
  { nodeClass, type, template }: Rehearsal,
  name: string,
): Promise<void> {
  let first: unknown;
  for (const { id } of nodeClass.status?.subnets ?? []) {
    const [nic, ...others] = template.data.NetworkInterfaces ?? [];
    const command = new RunInstancesCommand({
      DryRun: true,
      ClientToken: token('rehearsal', name, id),
      MinCount: 1,
      MaxCount: 1,
      InstanceType: type.name as Type,
      LaunchTemplate: { LaunchTemplateName: name, Version: '$Latest' },
      NetworkInterfaces: [{ ...nic, SubnetId: id }, ...others],
      TagSpecifications: tagSpecifications(template, ['instance', 'volume']),
    });
    try {
      return await rehearsed(context, 'RunInstances', (abortSignal) =>
        context.clients.ec2.send(command, { abortSignal }),
      );
    } catch (error) {
      first ??= error;
    }
  }
  if (first !== undefined) throw first;
}

function tagSpecifications(
  { tags }: WantedTemplate,
  types: readonly ResourceType[],
): TagSpecification[] {
  return types.map((type) => ({ ResourceType: type, Tags: tagList(tags) }));
}

/** EC2 answers a rehearsal that would have gone well with an error of this name. */
async function rehearsed(
  context: AwsContext,
  action: 'CreateFleet' | 'RunInstances',
  send: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const doing = `rehearsing ${action}`;
  await context.caller.call(
    { service: 'ec2', action, priority: 'describe', doing },
    async (signal) => {
      try {
        await send(signal);
      } catch (error) {
        if (codeOf(error) !== 'DryRunOperation') throw error;
      }
    },
  );
}
