import { resourceListOf } from '../../api/decode/resources.ts';
import { type NodeClaim, nodeClaims } from '../../api/karpenter/node-claim.ts';
import { conditionOf } from '../../api/resource.ts';
import { launchRefused, nodeLaunched } from '../../core/explain/lifecycle.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { sleep } from '../../ports/clock.ts';
import {
  CloudError,
  type LaunchedInstance,
  type LaunchLimits,
} from '../../ports/cloud-provider.ts';
import { onChange, type Requeue } from '../../runtime/reconcile.ts';
import { instanceIdOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { stampAnnotations } from '../hash-stamp.ts';
import { nodeClassStamp } from '../nodeclass/hash.ts';
import { patchClaimStatus } from '../writes.ts';
import { giveUp } from './give-up.ts';
import { spotLimitOf } from './spot-limit.ts';

/**
 * Buys the machine. The claim's uid is the key: whatever happened before, one claim never gets a
 * second machine. Without capacity the claim ends; any other failure is told and tried again.
 */
export async function launch(
  context: Context,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<Requeue> {
  const { name } = claim.spec.nodeClassRef;
  const nodeClass = context.informers.nodeClasses.get(name);
  if (nodeClass === undefined || nodeClass.metadata.deletionTimestamp !== undefined) {
    await refuse(context, claim, {
      ...classNotReady,
      message: `EC2NodeClass ${name} does not exist or is being deleted`,
    });
    return onChange;
  }
  try {
    const instance = await context.ports.cloud.launch(
      claim,
      nodeClass,
      signal,
      limitsOf(context, claim),
    );
    // The hash of the very class that was launched from, not of what it may have become since.
    const stamp = stampAnnotations(nodeClassStamp(context, nodeClass));
    const annotations = { ...instance.annotations, ...stamp };
    await markLaunched(context, claim, { ...instance, annotations });
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    return answer(context, { claim, error }, signal);
  }
  return onChange;
}

function limitsOf({ informers, types }: Context, claim: NodeClaim): LaunchLimits {
  const pool = informers.nodePools.get(claim.metadata.labels?.[labels.nodePool] ?? '');
  const known = types.of(claim.spec.nodeClassRef.name);
  return { spotUsdPerHour: spotLimitOf({ claim, pool, types: known }) };
}

const noCapacity = { reason: 'InsufficientCapacityError', metric: 'insufficient_capacity' };
const classNotReady = { reason: 'NodeClassNotReady', metric: 'nodeclass_not_ready' };

async function answer(
  context: Context,
  { claim, error }: { readonly claim: NodeClaim; readonly error: CloudError },
  signal: AbortSignal,
): Promise<Requeue> {
  const { message } = error;
  const { scarcePools, ports } = context;
  switch (error.kind) {
    case 'insufficient-capacity':
      scarcePools.note(claim, ports.clock.nowMs());
      if (error.reason === 'SpotTooDear') {
        await tellFailure(context, claim, error);
        const pauseMs = scarcePools.pauseMs(claim, ports.clock.nowMs());
        await sleep(ports.clock, pauseMs, signal);
      }
      await refuse(context, claim, { ...noCapacity, message });
      return onChange;
    case 'node-class-not-ready':
      await refuse(context, claim, { ...classNotReady, message });
      return onChange;
    default:
      await tellFailure(context, claim, error);
      // The runtime backs off; once the launch has taken too long, the claim is given up.
      throw error;
  }
}

async function refuse(
  context: Context,
  claim: NodeClaim,
  why: { readonly reason: string; readonly metric: string; readonly message: string },
): Promise<void> {
  const claimName = claim.metadata.name;
  const decision = launchRefused({ ...why, claimName, isFinal: true });
  await giveUp(context, claim, { decision, metric: why.metric, event: why.reason });
}

const longestMessage = 300;

async function tellFailure(context: Context, claim: NodeClaim, error: CloudError): Promise<void> {
  const message =
    error.message.length > longestMessage
      ? `${error.message.slice(0, longestMessage)}...`
      : error.message;
  const reason = error.reason === '' ? 'LaunchFailed' : error.reason;
  const before = conditionOf(claim, 'Launched');
  if (before?.reason === reason && before.message === message) return;
  await patchClaimStatus(context, claim, {
    set: [{ type: 'Launched', status: 'Unknown', reason, message }],
  });
  const claimName = claim.metadata.name;
  const decision = launchRefused({ claimName, reason, message, isFinal: false });
  const { decisions, events } = context.ports;
  events.publish({ about: claim, type: 'Warning', reason, message: decision.sentence });
  decisions.record(decision);
}

async function markLaunched(
  context: Context,
  claim: NodeClaim,
  instance: LaunchedInstance,
): Promise<void> {
  const { ports, informers } = context;
  // Labels first: should we die in between, the same instance is found and both are written again.
  // Without a lock: whatever happened to the claim meanwhile, it must learn of its machine.
  const body = {
    metadata: {
      labels: { ...instance.labels, ...claim.metadata.labels },
      annotations: { ...claim.metadata.annotations, ...instance.annotations },
    },
  };
  const { name } = claim.metadata;
  const labelled = await ports.kube.patch(nodeClaims, { name }, { type: 'merge', body });
  informers.nodeClaims.apply(labelled);
  await patchClaimStatus(context, labelled, {
    set: [{ type: 'Launched', status: 'True' }],
    fields: {
      providerID: instance.providerId,
      imageID: instance.imageId,
      capacity: resourceListOf(instance.capacity),
      allocatable: resourceListOf(instance.allocatable),
    },
  });
  const instanceId = instanceIdOf(instance.providerId) ?? instance.providerId;
  ports.decisions.record(nodeLaunched({ ...instance, claimName: name, instanceId }));
}
