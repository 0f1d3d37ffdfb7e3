import { CreatePlacementGroupCommand, DeletePlacementGroupCommand } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';

async function setUp(strategy: 'cluster' | 'partition' | 'spread', PartitionCount?: number) {
  const under = typesUnderTest();
  const made = await under.aws.ec2.send(
    new CreatePlacementGroupCommand({ GroupName: 'near', Strategy: strategy, PartitionCount }),
  );
  const id = made.PlacementGroup?.GroupId ?? '';
  const nodeClass = aResolvedClass({ spec: { placementGroupSelector: { name: 'near' } } });
  return { ...under, id, nodeClass };
}

describe('a class with a placement group', () => {
  test('finds it by name or by id', async () => {
    const { settle, placementGroups, nodeClass, id } = await setUp('partition', 3);
    const group = { id, name: 'near', strategy: 'partition', partitionCount: 3 };
    expect(await settle(placementGroups.find(nodeClass))).toEqual(group);
    const byId = aResolvedClass({ spec: { placementGroupSelector: { id } } });
    expect(await settle(placementGroups.find(byId))).toEqual(group);
    const unknown = aResolvedClass({ spec: { placementGroupSelector: { name: 'far' } } });
    expect(await settle(placementGroups.find(unknown))).toBeUndefined();
    expect(await settle(placementGroups.find(aResolvedClass()))).toBeUndefined();
  });

  test('has its id and its partitions in the labels of every type', async () => {
    const { typeOf, nodeClass, id } = await setUp('partition', 3);
    const { requirements } = await typeOf(nodeClass, 'm5.large');
    const valuesOf = (key: string) => [...(requirements.get(key)?.values ?? ['missing'])];
    expect(valuesOf('karpenter.k8s.aws/placement-group-id')).toEqual([id]);
    expect(valuesOf('karpenter.k8s.aws/placement-group-partition')).toEqual(['1', '2', '3']);
  });

  test('offers only types that can be placed so', async () => {
    const { offering, nodeClass } = await setUp('cluster');
    expect(await offering(nodeClass, 'm5.large/a/on-demand')).toMatchObject({ isAvailable: true });
    expect(await offering(nodeClass, 't3.large/a/on-demand')).toMatchObject({ isAvailable: false });
  });

  test('offers nothing while the group does not exist', async () => {
    const { offering, nodeClass, aws, placementGroups } = await setUp('cluster');
    await offering(nodeClass, 'm5.large/a/on-demand');
    await aws.ec2.send(new DeletePlacementGroupCommand({ GroupName: 'near' }));
    await aws.clock.runFor(60_000);
    expect(await offering(nodeClass, 'm5.large/a/on-demand')).toMatchObject({ isAvailable: false });
    // It is kept for outages, in which EC2 says nothing at all.
    expect(placementGroups.recall(nodeClass)).toMatchObject({ name: 'near' });
  });
});
