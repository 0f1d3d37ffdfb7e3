import type { Taint } from '../cluster/pod.ts';
import type { Resources } from '../quantity/resources.ts';

const launchTimeoutMs = 5 * 60_000;
const registrationTimeoutMs = 15 * 60_000;

/** What is known of a claim for a machine. */
export interface ClaimFacts {
  readonly createdAtMs: number;
  readonly hasFinalizer: boolean;
  readonly isLeaving: boolean;
  readonly isLaunched: boolean;
  readonly isRegistered: boolean;
  readonly isInitialized: boolean;
  /** Taints that something else must take off the node before it may be used. */
  readonly startupTaints: readonly Taint[];
  /** What the pods it was ordered for ask for; the node must offer some of each. */
  readonly requests: Resources;
}

/** What is known of the machine's Node. */
export interface NodeFacts {
  readonly isReady: boolean;
  readonly taints: readonly Taint[];
  /** Those of `taints` that belong to the start of any node and pass by themselves. */
  readonly passingTaints: readonly Taint[];
  readonly allocatable: Resources;
}

export interface LifecycleInput {
  readonly claim: ClaimFacts;
  /** Every Node that claims to be this machine; more than one is a fault. */
  readonly nodes: readonly NodeFacts[];
  readonly nowMs: number;
}

export type InitializationReason =
  | 'NodeNotFound'
  | 'NodeNotReady'
  | 'StartupTaintsExist'
  | 'KnownEphemeralTaintsExist'
  | 'ResourceNotRegistered';

/** The one thing to do next for a claim. `untilMs` is when to look again without any change. */
export type Step =
  | { readonly kind: 'add-finalizer' }
  | { readonly kind: 'launch'; readonly untilMs: number }
  | {
      readonly kind: 'await-registration';
      readonly reason: 'NodeNotFound' | 'MultipleNodesFound';
      readonly untilMs: number;
    }
  | { readonly kind: 'register' }
  | {
      readonly kind: 'await-initialization';
      readonly reason: InitializationReason;
      readonly detail: string;
    }
  | { readonly kind: 'initialize' }
  | {
      readonly kind: 'give-up';
      readonly reason: 'launch-timeout' | 'registration-timeout';
      readonly sentence: string;
    }
  | { readonly kind: 'settled' };

/**
 * The next step of a claim towards a node that pods can use. Taking a step twice must be
 * harmless: the same facts give the same step. A leaving claim has no next step here.
 */
export function nextStep({ claim, nodes, nowMs }: LifecycleInput): Step {
  if (claim.isLeaving) return { kind: 'settled' };
  // Before the launch, never after: a claim deleted without the finalizer leaks its machine.
  if (!claim.hasFinalizer) return { kind: 'add-finalizer' };
  if (!claim.isLaunched) return stepToLaunch(claim, nowMs);
  if (!claim.isRegistered) return stepToRegistration(claim, nodes, nowMs);
  if (!claim.isInitialized) return stepToInitialization(claim, nodes);
  return { kind: 'settled' };
}

function stepToLaunch(claim: ClaimFacts, nowMs: number): Step {
  const untilMs = claim.createdAtMs + launchTimeoutMs;
  if (nowMs < untilMs) return { kind: 'launch', untilMs };
  return {
    kind: 'give-up',
    reason: 'launch-timeout',
    sentence: 'the cloud started no machine for it within 5 minutes',
  };
}

function stepToRegistration(claim: ClaimFacts, nodes: readonly NodeFacts[], nowMs: number): Step {
  if (nodes.length === 1) return { kind: 'register' };
  const untilMs = claim.createdAtMs + registrationTimeoutMs;
  if (nowMs < untilMs) {
    const reason = nodes.length === 0 ? 'NodeNotFound' : 'MultipleNodesFound';
    return { kind: 'await-registration', reason, untilMs };
  }
  return {
    kind: 'give-up',
    reason: 'registration-timeout',
    sentence:
      nodes.length === 0
        ? 'its machine did not join the cluster within 15 minutes'
        : `${nodes.length} nodes still say that they are its machine after 15 minutes`,
  };
}

function stepToInitialization(claim: ClaimFacts, nodes: readonly NodeFacts[]): Step {
  const [node] = nodes;
  if (node === undefined)
    return { kind: 'await-initialization', reason: 'NodeNotFound', detail: 'its node is missing' };
  const obstacle = firstObstacle(claim, node);
  return obstacle === undefined
    ? { kind: 'initialize' }
    : { kind: 'await-initialization', ...obstacle };
}

function firstObstacle(
  claim: ClaimFacts,
  node: NodeFacts,
): { readonly reason: InitializationReason; readonly detail: string } | undefined {
  if (!node.isReady) return { reason: 'NodeNotReady', detail: 'the node is not ready yet' };
  const startup = node.taints.find((taint) => claim.startupTaints.some((own) => same(own, taint)));
  if (startup !== undefined)
    return {
      reason: 'StartupTaintsExist',
      detail: `startup taint ${text(startup)} is still there`,
    };
  const [passing] = node.passingTaints;
  if (passing !== undefined)
    return { reason: 'KnownEphemeralTaintsExist', detail: `taint ${text(passing)} is still there` };
  const missing = Object.keys(claim.requests)
    .sort()
    .find((name) => (claim.requests[name] ?? 0) > 0 && (node.allocatable[name] ?? 0) <= 0);
  if (missing === undefined) return undefined;
  return { reason: 'ResourceNotRegistered', detail: `the node does not offer ${missing} yet` };
}

function same(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

function text(taint: Taint): string {
  return `${taint.key}:${taint.effect}`;
}
