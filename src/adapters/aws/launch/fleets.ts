import { CreateFleetCommand } from '@aws-sdk/client-ec2';
import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import { batchMeters } from '../calls/batcher.ts';
import { codeOf } from '../calls/errors.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterFacts } from '../node-class/cluster.ts';
import type { Subnets, ZoneSubnet } from '../node-class/subnets.ts';
import type { PlacementGroups } from '../placement/placement-groups.ts';
import { type FleetAnswer, isTemplateMissing, readFleetAnswer } from './fleet-answer.ts';
import { type FleetGroup, fleetRequest } from './fleet-request.ts';
import type { LaunchChoice } from './launch-choice.ts';
import { planGroups } from './launch-plan.ts';
import type { LaunchTemplates } from './launch-templates.ts';

/** One request, for one machine or for several that are alike. */
interface FleetOrder {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly choice: LaunchChoice;
  readonly subnetByZone: ReadonlyMap<string, ZoneSubnet>;
  readonly tags: Tags;
  readonly capacity: number;
  /** What the machines carry beyond the tags of their pool. */
  readonly findingTags: Tags;
  readonly clientToken: string;
  readonly doing: string;
  readonly signal: AbortSignal;
}

export interface Fleets {
  /**
   * Makes the templates that the order needs and sends it. `unheard` means that EC2 rejected the
   * request before taking note of its token, because a template was gone: order again.
   */
  order(order: FleetOrder): Promise<FleetAnswer | 'unheard'>;
}

export function createFleets(
  context: AwsContext,
  parts: {
    readonly cluster: () => Promise<ClusterFacts>;
    readonly templates: LaunchTemplates;
    readonly subnets: Subnets;
    readonly placementGroups: PlacementGroups;
  },
): Fleets {
  const sizes = context.metrics === undefined ? undefined : batchMeters(context.metrics).size;

  async function groupsOf(order: FleetOrder): Promise<readonly FleetGroup[]> {
    const [cluster, placementGroup] = await Promise.all([
      parts.cluster(),
      parts.placementGroups.find(order.nodeClass),
    ]);
    const planned = planGroups({ context, cluster, placementGroup, ...order });
    const wanted = planned.map((group) => group.template);
    const names = await parts.templates.ensure(wanted, order.claim.metadata.uid ?? '');
    return planned.map(({ imageId, candidates }, index) => ({
      templateName: names[index] ?? '',
      imageId,
      candidates,
    }));
  }

  async function send(order: FleetOrder, groups: readonly FleetGroup[]): Promise<FleetAnswer> {
    sizes?.observe(order.capacity, { batcher: 'create_fleet' });
    const command = new CreateFleetCommand(
      fleetRequest({ ...order, groups, capacityType: order.choice.capacityType }),
    );
    const output = await context.caller.call(
      {
        service: 'ec2',
        action: 'CreateFleet',
        priority: 'create',
        doing: order.doing,
        signal: order.signal,
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    return readFleetAnswer(output);
  }

  return {
    async order(order) {
      const groups = await groupsOf(order);
      const names = groups.map((group) => group.templateName);
      try {
        const answer = await send(order, groups);
        if (isTemplateMissing(answer.refusals)) parts.templates.forget(names);
        return answer;
      } catch (error) {
        if (!/^InvalidLaunchTemplate(Name|Id)\.NotFound/.test(codeOf(error) ?? '')) throw error;
        parts.templates.forget(names);
        return 'unheard';
      }
    },
  };
}
