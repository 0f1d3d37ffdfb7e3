import { parseTime } from '../../api/decode/duration.ts';
import { isPassingTaint } from '../../api/decode/node-taints.ts';
import { decodeResources } from '../../api/decode/resources.ts';
import { launchGroupAnnotation } from '../../api/karpenter/launch-group.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
import { nodeGivenUp, nodeNotWaitedFor } from '../../core/explain/lifecycle.ts';
import { type ClaimFacts, type NodeFacts, nextStep } from '../../core/lifecycle/next-step.ts';
import { finalizers } from '../../core/requirements/well-known.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import { nodesOf } from '../cluster-state/informers.ts';
import type { Context } from '../context.ts';
import { patchClaimStatus, patchLocked } from '../writes.ts';
import { giveUp } from './give-up.ts';
import { initialize } from './initialization.ts';
import { launch } from './launch.ts';
import type { LaunchGroups } from './launch-groups.ts';
import { register } from './registration.ts';
import { terminate } from './termination.ts';
import { isWaitedFor } from './waited-for.ts';

/** What the steps of a claim are taken with: the world, and the groups of claims to be launched. */
export interface ClaimDesk {
  readonly context: Context;
  readonly groups: LaunchGroups;
}

/** Moves one NodeClaim a single step towards a usable node or, once it is deleted, towards its end. */
export async function reconcileClaim(
  desk: ClaimDesk,
  name: string,
  signal: AbortSignal,
): Promise<Requeue> {
  const { context } = desk;
  const claim = context.informers.nodeClaims.get(name);
  if (claim === undefined) return onChange;
  if (claim.metadata.deletionTimestamp !== undefined) return terminate(context, claim, signal);
  return advance(desk, claim, signal);
}

async function advance(desk: ClaimDesk, claim: NodeClaim, signal: AbortSignal): Promise<Requeue> {
  const { context } = desk;
  const nowMs = context.ports.clock.nowMs();
  const nodes = nodesOf(context.informers, claim);
  const step = nextStep({ claim: factsOfClaim(claim), nodes: nodes.map(factsOfNode), nowMs });
  const [node] = nodes;
  switch (step.kind) {
    case 'add-finalizer':
      await addFinalizer(desk, claim);
      return onChange;
    case 'launch':
      if (isWaitedFor(context, claim)) return launch(context, claim, signal);
      await giveUp(context, claim, {
        ...{ event: 'NotWaitedFor', eventType: 'Normal', metric: 'not_waited_for' },
        decision: nodeNotWaitedFor(claim.metadata.name),
      });
      return onChange;
    case 'await-registration': {
      const status = step.reason === 'MultipleNodesFound' ? 'False' : 'Unknown';
      const message = registrationMessage[step.reason];
      await patchClaimStatus(context, claim, {
        set: [{ type: 'Registered', status, reason: step.reason, message }],
      });
      return after(step.untilMs - nowMs);
    }
    case 'register':
      return node === undefined ? onChange : register(context, claim, node);
    case 'await-initialization': {
      const { reason, detail: message } = step;
      await patchClaimStatus(context, claim, {
        set: [{ type: 'Initialized', status: 'Unknown', reason, message }],
      });
      return onChange;
    }
    case 'initialize':
      return node === undefined ? onChange : initialize(context, claim, node);
    case 'give-up':
      await giveUp(context, claim, {
        ...givenUp[step.reason],
        decision: nodeGivenUp({ ...step, claimName: claim.metadata.name }),
      });
      return onChange;
    case 'settled':
      return onChange;
  }
}

const registrationMessage = {
  NodeNotFound: 'the machine has not joined the cluster yet',
  MultipleNodesFound: 'more than one Node says that it is this machine',
} as const;

const givenUp = {
  'launch-timeout': { event: 'LaunchTimeout', metric: 'launch_timeout' },
  'registration-timeout': { event: 'RegistrationTimeout', metric: 'registration_timeout' },
} as const;

/** In one write with the group: what is bought together must be known before anything is bought. */
async function addFinalizer({ context, groups }: ClaimDesk, claim: NodeClaim): Promise<void> {
  const { ports, informers } = context;
  const group = await groups.join(claim);
  await patchLocked(
    { kube: ports.kube, informer: informers.nodeClaims, object: claim },
    {
      metadata: {
        finalizers: [...(claim.metadata.finalizers ?? []), finalizers.termination],
        ...(group === undefined ? {} : { annotations: { [launchGroupAnnotation]: group } }),
      },
    },
  );
}

function factsOfClaim(claim: NodeClaim): ClaimFacts {
  return {
    createdAtMs: parseTime(claim.metadata.creationTimestamp) ?? 0,
    hasFinalizer: claim.metadata.finalizers?.includes(finalizers.termination) === true,
    isLeaving: claim.metadata.deletionTimestamp !== undefined,
    isLaunched: isTrue(claim, 'Launched'),
    isRegistered: isTrue(claim, 'Registered'),
    isInitialized: isTrue(claim, 'Initialized'),
    startupTaints: claim.spec.startupTaints ?? [],
    requests: decodeResources(claim.spec.resources?.requests, 'requests').resources,
  };
}

function factsOfNode(node: NodeObject): NodeFacts {
  const taints = node.spec?.taints ?? [];
  return {
    isReady: isTrue(node, 'Ready'),
    taints,
    passingTaints: taints.filter(isPassingTaint),
    allocatable: decodeResources(node.status?.allocatable, 'allocatable').resources,
  };
}
