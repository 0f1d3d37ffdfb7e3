import {
  type ConditionStatement,
  clearCondition,
  setCondition,
  withDependents,
  withReady,
} from '../../api/conditions.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { type Condition, conditionOf } from '../../api/resource.ts';
import { fieldsKnown } from '../../api/schema/unknown-fields.ts';
import { unknownFieldsStatement } from '../unknown-fields.ts';
import { type RegistrationHealth, registrationStatement } from './registration-health.ts';
import { faultsOf } from './validation.ts';

const dependents = ['ValidationSucceeded', 'NodeClassReady'];

export interface PoolFacts {
  readonly nodeClass: EC2NodeClass | undefined;
  readonly health: RegistrationHealth;
  readonly nowMs: number;
}

/** Everything that is to be said of a pool now, `Ready` last. */
export function conditionsOf(pool: NodePool, facts: PoolFacts): readonly Condition[] {
  const { generation = 0, creationTimestamp: createdAt } = pool.metadata;
  const moment = { nowMs: facts.nowMs, generation, createdAt };
  const before = withDependents(pool.status?.conditions ?? [], dependents, moment);
  const unknown = unknownFieldsStatement(pool, 'nodepools.karpenter.sh');
  const kept = unknown === undefined ? clearCondition(before, fieldsKnown) : before;
  const statements = [
    validationStatement(pool),
    classStatement(pool, facts.nodeClass),
    registration(pool, facts),
    unknown,
  ].filter((statement) => statement !== undefined);
  const set = statements.reduce(
    (conditions, statement) => setCondition(conditions, statement, moment),
    kept,
  );
  return withReady(set, dependents, moment);
}

function registration(
  pool: NodePool,
  { nodeClass, health }: PoolFacts,
): ConditionStatement | undefined {
  if (nodeClass === undefined) return undefined;
  return registrationStatement(pool, nodeClass.metadata.generation ?? 0, health);
}

function validationStatement(pool: NodePool): ConditionStatement {
  const type = 'ValidationSucceeded';
  const faults = faultsOf(pool);
  if (faults.length === 0) return { type, status: 'True' };
  return { type, status: 'False', reason: 'NodePoolValidationFailed', message: faults.join('; ') };
}

function classStatement(pool: NodePool, nodeClass: EC2NodeClass | undefined): ConditionStatement {
  const type = 'NodeClassReady';
  const { name } = pool.spec.template.spec.nodeClassRef;
  if (nodeClass === undefined) {
    const message = `EC2NodeClass ${name} does not exist`;
    return { type, status: 'False', reason: 'NodeClassNotFound', message };
  }
  if (nodeClass.metadata.deletionTimestamp !== undefined) {
    const message = `EC2NodeClass ${name} is being deleted`;
    return { type, status: 'False', reason: 'NodeClassTerminating', message };
  }
  const ready = conditionOf(nodeClass, 'Ready');
  if (ready?.status === 'True') return { type, status: 'True' };
  if (ready?.status === 'False') {
    const { reason, message } = ready;
    return { type, status: 'False', reason, message };
  }
  const message = `EC2NodeClass ${name} has not been found ready yet`;
  return { type, status: 'False', reason: 'NodeClassReadinessUnknown', message };
}
