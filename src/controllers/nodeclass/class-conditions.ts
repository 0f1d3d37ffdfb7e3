import {
  type ConditionStatement,
  clearCondition,
  setCondition,
  withDependents,
  withReady,
} from '../../api/conditions.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { Condition } from '../../api/resource.ts';
import { fieldsKnown } from '../../api/schema/unknown-fields.ts';
import type { NodeClassResolution } from '../../ports/cloud-provider.ts';
import { unknownFieldsStatement } from '../unknown-fields.ts';

/** What a class has to have before it is ready; the cloud may name more. */
const dependents = [
  'AMIsReady',
  'SubnetsReady',
  'SecurityGroupsReady',
  'InstanceProfileReady',
  'ValidationSucceeded',
  'PlacementGroupReady',
];

/** Everything that is to be said of a class now, `Ready` last. */
export function conditionsOf(
  nodeClass: EC2NodeClass,
  { conditions: statements }: NodeClassResolution,
  nowMs: number,
): readonly Condition[] {
  const { generation = 0, creationTimestamp: createdAt } = nodeClass.metadata;
  const moment = { nowMs, generation, createdAt };
  const said = [...statements, ...needless(nodeClass, statements)];
  const unknown = unknownFieldsStatement(nodeClass, 'ec2nodeclasses.karpenter.k8s.aws');
  const before = withDependents(nodeClass.status?.conditions ?? [], dependents, moment);
  const kept = unknown === undefined ? clearCondition(before, fieldsKnown) : before;
  const set = [...said, ...(unknown === undefined ? [] : [unknown])].reduce(
    (conditions, statement) => setCondition(conditions, statement, moment),
    kept,
  );
  const all = new Set([...dependents, ...statements.map(({ type }) => type)]);
  return withReady(set, [...all], moment);
}

/** A class that asks for no placement group has all that it asks for. */
function needless(
  { spec }: EC2NodeClass,
  statements: NodeClassResolution['conditions'],
): readonly ConditionStatement[] {
  const type = 'PlacementGroupReady';
  const isSaid = statements.some((statement) => statement.type === type);
  return isSaid || spec.placementGroupSelector !== undefined ? [] : [{ type, status: 'True' }];
}
