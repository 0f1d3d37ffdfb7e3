import { describe, expect, test } from 'vitest';
import { type ClaimFacts, type NodeFacts, nextStep, type Step } from './next-step.ts';

const minute = 60_000;
const startup = { key: 'agent', effect: 'NoSchedule' as const };
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' as const };

function step(claim: Partial<ClaimFacts>, nodes: readonly Partial<NodeFacts>[] = [], nowMs = 0) {
  return nextStep({
    claim: {
      createdAtMs: 0,
      hasFinalizer: true,
      isLeaving: false,
      isLaunched: false,
      isRegistered: false,
      isInitialized: false,
      startupTaints: [startup],
      requests: { cpu: 100, gpu: 1 },
      ...claim,
    },
    nodes: nodes.map((node) => ({
      isReady: true,
      taints: [],
      passingTaints: [],
      allocatable: { cpu: 2000, gpu: 1 },
      ...node,
    })),
    nowMs,
  });
}

const launched = { isLaunched: true };
const registered = { isLaunched: true, isRegistered: true };

describe('the next step of a claim', () => {
  test.each<{ name: string; taken: Step; kind: Step['kind']; reason?: string }>([
    {
      name: 'a new claim gets its finalizer first',
      taken: step({ hasFinalizer: false }),
      kind: 'add-finalizer',
    },
    { name: 'then it is launched', taken: step({}), kind: 'launch' },
    {
      name: 'launching is tried for five minutes',
      taken: step({}, [], 5 * minute - 1),
      kind: 'launch',
    },
    {
      name: 'and no longer',
      taken: step({}, [], 5 * minute),
      kind: 'give-up',
      reason: 'launch-timeout',
    },
    {
      name: 'a machine without a node is waited for',
      taken: step(launched),
      kind: 'await-registration',
      reason: 'NodeNotFound',
    },
    { name: 'its node is registered', taken: step(launched, [{}]), kind: 'register' },
    {
      name: 'two nodes for one machine are a fault',
      taken: step(launched, [{}, {}]),
      kind: 'await-registration',
      reason: 'MultipleNodesFound',
    },
    {
      name: 'joining may take fifteen minutes',
      taken: step(launched, [], 15 * minute - 1),
      kind: 'await-registration',
    },
    {
      name: 'and no longer',
      taken: step(launched, [], 15 * minute),
      kind: 'give-up',
      reason: 'registration-timeout',
    },
    {
      name: 'a late node is still welcome',
      taken: step(launched, [{}], 99 * minute),
      kind: 'register',
    },
    {
      name: 'a registered node must be ready',
      taken: step(registered, [{ isReady: false }]),
      kind: 'await-initialization',
      reason: 'NodeNotReady',
    },
    {
      name: 'without its startup taints',
      taken: step(registered, [{ taints: [{ ...startup, value: 'x' }] }]),
      kind: 'await-initialization',
      reason: 'StartupTaintsExist',
    },
    {
      name: 'without passing taints',
      taken: step(registered, [{ taints: [notReady], passingTaints: [notReady] }]),
      kind: 'await-initialization',
      reason: 'KnownEphemeralTaintsExist',
    },
    {
      name: 'and with all that was asked for',
      taken: step(registered, [{ allocatable: { cpu: 1 } }]),
      kind: 'await-initialization',
      reason: 'ResourceNotRegistered',
    },
    {
      name: 'a node that went missing is waited for',
      taken: step(registered, [], 99 * minute),
      kind: 'await-initialization',
      reason: 'NodeNotFound',
    },
    { name: 'then it is initialized', taken: step(registered, [{}]), kind: 'initialize' },
    {
      name: 'and done',
      taken: step({ ...registered, isInitialized: true }, [{}]),
      kind: 'settled',
    },
    { name: 'a leaving claim has no next step', taken: step({ isLeaving: true }), kind: 'settled' },
  ])('$name', ({ taken, kind, reason }) => {
    expect(taken.kind).toBe(kind);
    if (reason !== undefined) expect(taken).toMatchObject({ reason });
  });
});
