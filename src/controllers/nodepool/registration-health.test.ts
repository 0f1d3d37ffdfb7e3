import { describe, expect, test } from 'vitest';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { Condition } from '../../api/resource.ts';
import { outcomeOf, RegistrationHealth, registrationStatement } from './registration-health.ts';

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const registered = { kind: 'registered' } as const;
const failed = { kind: 'failed', reason: 'RegistrationFailed', message: 'late' } as const;

function condition(type: string, status: Condition['status'], more: object = {}): Condition {
  return {
    type,
    status,
    reason: 'R',
    message: 'm',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    ...more,
  };
}

function aPool(said?: Condition['status']): NodePool {
  const health = condition('NodeRegistrationHealthy', said ?? 'Unknown', { observedGeneration: 2 });
  return {
    metadata: { name: 'web', uid: 'u', generation: 2 },
    spec: { template: { spec: { requirements: [], nodeClassRef } } },
    status: {
      nodeClassObservedGeneration: 7,
      ...(said === undefined ? {} : { conditions: [health] }),
    },
  };
}

function healthWith(
  ...outcomes: readonly (typeof registered | typeof failed)[]
): RegistrationHealth {
  const health = new RegistrationHealth();
  for (const outcome of outcomes) health.note('u', outcome);
  return health;
}

describe('the health of registration', () => {
  test.each([
    { name: 'nothing was said yet', pool: aPool(), generation: 7 },
    { name: 'the node class has changed', pool: aPool('True'), generation: 8 },
    {
      name: 'the pool has changed',
      pool: { ...aPool('True'), metadata: { name: 'web', uid: 'u', generation: 3 } },
      generation: 7,
    },
  ])('is unknown when $name, and what was seen is forgotten', ({ pool, generation }) => {
    const health = healthWith(failed, failed);
    expect(registrationStatement(pool, generation, health)).toMatchObject({
      status: 'Unknown',
      reason: 'AwaitingReconciliation',
    });
    expect(health.isEmpty('u')).toBe(true);
  });

  test.each([
    { name: 'one registration', outcomes: [registered], said: 'Unknown', status: 'True' },
    { name: 'one failure', outcomes: [failed], said: 'Unknown', status: undefined },
    { name: 'two failures', outcomes: [failed, failed], said: 'Unknown', status: 'False' },
    {
      name: 'a success after two failures',
      outcomes: [failed, failed, registered],
      said: 'False',
      status: undefined,
    },
    {
      name: 'three successes after two failures',
      outcomes: [failed, failed, registered, registered, registered],
      said: 'False',
      status: 'True',
    },
  ] as const)('$name', ({ outcomes, said, status }) => {
    const health = healthWith(...outcomes);
    expect(registrationStatement(aPool(said), 7, health)?.status).toBe(status);
  });

  test('after a start goes on from what was said last', () => {
    const health = new RegistrationHealth();
    registrationStatement(aPool('False'), 7, health);
    health.note('u', registered);
    expect(registrationStatement(aPool('False'), 7, health)).toBeUndefined();
    const other = new RegistrationHealth();
    registrationStatement(aPool('True'), 7, other);
    other.note('u', failed);
    expect(registrationStatement(aPool('True'), 7, other)).toBeUndefined();
  });
});

describe('the outcome of a claim', () => {
  function aClaim(conditions: readonly Condition[], minutes?: number): NodeClaim {
    const deletionTimestamp = `2026-01-01T00:${String(minutes).padStart(2, '0')}:00Z`;
    return {
      metadata: {
        name: 'web-1',
        creationTimestamp: '2026-01-01T00:00:00Z',
        ...(minutes === undefined ? {} : { deletionTimestamp }),
      },
      spec: { requirements: [], nodeClassRef },
      status: { conditions },
    };
  }
  const launched = [condition('Launched', 'True')];
  const refused = [condition('Launched', 'Unknown', { reason: 'Unauthorized', message: 'no' })];
  const joined = [...launched, condition('Registered', 'True')];

  test.each([
    {
      name: 'that registers is a success',
      before: aClaim(launched),
      claim: aClaim(joined),
      outcome: registered,
    },
    {
      name: 'that was registered before is none',
      before: aClaim(joined),
      claim: aClaim(joined),
      outcome: undefined,
    },
    {
      name: 'that never joined is a failure',
      before: aClaim(launched),
      claim: aClaim(launched, 15),
      outcome: { kind: 'failed', reason: 'RegistrationFailed', message: 'Failed to register node' },
    },
    {
      name: 'that was never launched fails for the reason of the launch',
      before: aClaim(refused),
      claim: aClaim(refused, 5),
      outcome: { kind: 'failed', reason: 'Unauthorized', message: 'no' },
    },
    {
      name: 'that somebody deleted early is none',
      before: aClaim(refused),
      claim: aClaim(refused, 2),
      outcome: undefined,
    },
    {
      name: 'that had been deleted before is none',
      before: aClaim(launched, 15),
      claim: aClaim(launched, 15),
      outcome: undefined,
    },
  ])('$name', ({ before, claim, outcome }) => {
    expect(outcomeOf(claim, before)).toEqual(outcome);
  });
});
