import type { DecisionDraft } from './decision.ts';
import { perHour } from './money.ts';
import { article, timeText } from './words.ts';

export interface Launch {
  readonly claimName: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly priceUsdPerHour?: number | undefined;
  /** What the plan counted on, to tell when the cloud gave something dearer. */
  readonly plannedUsdPerHour?: number | undefined;
}

/** The cloud has accepted the order. */
export function nodeLaunched(launch: Launch): DecisionDraft {
  const { claimName, instanceId, instanceType, zone, capacityType, priceUsdPerHour } = launch;
  const price = priceUsdPerHour === undefined ? '' : ` at ${perHour(priceUsdPerHour)}`;
  return {
    code: 'NodeLaunched',
    subject: { kind: 'NodeClaim', name: claimName },
    because: [
      { name: 'instanceId', value: instanceId },
      { name: 'instanceType', value: instanceType },
      { name: 'zone', value: zone },
      { name: 'capacityType', value: capacityType },
      ...(priceUsdPerHour === undefined
        ? []
        : [{ name: 'priceUsdPerHour', value: priceUsdPerHour }]),
    ],
    sentence:
      `Claim ${claimName} got ${instanceId}, ${article(capacityType)} ${capacityType} ${instanceType} in ${zone}` +
      `${price}${surprise(launch)}.`,
  };
}

function surprise({ priceUsdPerHour, plannedUsdPerHour }: Launch): string {
  if (priceUsdPerHour === undefined || plannedUsdPerHour === undefined) return '';
  if (Math.abs(priceUsdPerHour - plannedUsdPerHour) < 0.00005) return '';
  return ` (planned ${perHour(plannedUsdPerHour)})`;
}

/** The cloud has said no, with its own reason. */
export function launchRefused(refused: {
  readonly claimName: string;
  readonly reason: string;
  readonly message: string;
  /** Whether the claim is given up, so that its pods are planned again. */
  readonly isFinal: boolean;
}): DecisionDraft {
  const { claimName, reason, message, isFinal } = refused;
  const next = isFinal ? 'its pods are planned again' : 'trying again';
  return {
    code: 'LaunchRefused',
    subject: { kind: 'NodeClaim', name: claimName },
    because: [
      { name: 'reason', value: reason },
      { name: 'message', value: message },
    ],
    sentence: `No machine for claim ${claimName}: ${reason}: ${withoutStop(message)}; ${next}.`,
  };
}

interface Joined {
  readonly claimName: string;
  readonly nodeName: string;
  /** Since the claim was made. */
  readonly afterMs: number;
}

export function nodeRegistered({ claimName, nodeName, afterMs }: Joined): DecisionDraft {
  return {
    code: 'NodeRegistered',
    subject: { kind: 'Node', name: nodeName },
    because: [
      { name: 'claim', value: claimName },
      { name: 'afterMs', value: afterMs },
    ],
    sentence: `Node ${nodeName} joined the cluster for claim ${claimName}, ${timeText(afterMs)} after the order.`,
  };
}

export function nodeInitialized({ claimName, nodeName, afterMs }: Joined): DecisionDraft {
  return {
    code: 'NodeInitialized',
    subject: { kind: 'Node', name: nodeName },
    because: [
      { name: 'claim', value: claimName },
      { name: 'afterMs', value: afterMs },
    ],
    sentence: `Node ${nodeName} is ready for pods, ${timeText(afterMs)} after the order.`,
  };
}

/** A claim that never became a node. */
export function nodeGivenUp(given: {
  readonly claimName: string;
  readonly reason: string;
  readonly sentence: string;
}): DecisionDraft {
  return {
    code: 'NodeGivenUp',
    subject: { kind: 'NodeClaim', name: given.claimName },
    because: [{ name: 'reason', value: given.reason }],
    sentence: `Gave up claim ${given.claimName}: ${withoutStop(given.sentence)}; its pods are planned again.`,
  };
}

/** An order whose pods went away or found room elsewhere before anything was bought. */
export function nodeNotWaitedFor(claimName: string): DecisionDraft {
  return {
    code: 'NodeGivenUp',
    subject: { kind: 'NodeClaim', name: claimName },
    because: [{ name: 'reason', value: 'not-waited-for' }],
    sentence: `Gave up claim ${claimName}: none of its pods waits for it any more.`,
  };
}

/** A machine that no claim stands behind any more. */
export function instanceCollected(collected: {
  readonly instanceId: string;
  readonly why: string;
}): DecisionDraft {
  return {
    code: 'InstanceCollected',
    subject: { kind: 'Instance', name: collected.instanceId },
    because: [{ name: 'why', value: collected.why }],
    sentence: `Terminated instance ${collected.instanceId}: ${withoutStop(collected.why)}.`,
  };
}

/** A claim whose machine the cloud no longer has, or whose Node was removed past its finalizer. */
export function claimCollected(collected: {
  readonly claimName: string;
  readonly why: string;
}): DecisionDraft {
  return {
    code: 'ClaimCollected',
    subject: { kind: 'NodeClaim', name: collected.claimName },
    because: [{ name: 'why', value: collected.why }],
    sentence: `Removed claim ${collected.claimName}: ${withoutStop(collected.why)}.`,
  };
}

export function nodeClassReady(name: string): DecisionDraft {
  return {
    code: 'NodeClassReady',
    subject: { kind: 'EC2NodeClass', name },
    because: [],
    sentence: `EC2NodeClass ${name} is ready: its network, images and role were found.`,
  };
}

export function nodeClassRefused(refused: {
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}): DecisionDraft {
  const { name, reason, message } = refused;
  return {
    code: 'NodeClassRefused',
    subject: { kind: 'EC2NodeClass', name },
    because: [
      { name: 'reason', value: reason },
      { name: 'message', value: message },
    ],
    sentence: `EC2NodeClass ${name} cannot be used: ${reason}: ${withoutStop(message)}.`,
  };
}

function withoutStop(text: string): string {
  return text.endsWith('.') ? text.slice(0, -1) : text;
}
