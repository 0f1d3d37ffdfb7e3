import { describe, expect, test } from 'vitest';
import type { EC2NodeClass } from '../../src/api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import type { RequirementTerm } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { CloudError, type CloudProvider } from '../../src/ports/cloud-provider.ts';

/** A cloud to test against, in the words of what may happen to it. */
export interface CloudUnderTest {
  /** A provider with no memory, as after a start of the process. The cloud stays the same. */
  start(): CloudProvider;
  /** A class that the cloud can resolve. */
  nodeClass(name: string): EC2NodeClass;
  /** Lets time pass until the work is done, and answers as it did. */
  settle<T>(work: Promise<T>): Promise<T>;
  letPass(ms: number): Promise<void>;
  /** Pools that are empty from now on; fields left out stand for all. */
  runOut(pool: { instanceType?: string; zone?: string; capacityType?: 'spot' | 'on-demand' }): void;
  /** The next launches reach the cloud and take effect, but their answers are lost. */
  loseLaunchAnswers(count: number): void;
  /** Listings and lookups do not show instances that are younger than this. */
  hideYoungInstances(ms: number): void;
  /** The ids of what runs or is about to, as the cloud itself knows it. */
  liveInstances(): Promise<readonly string[]>;
  /** Launch templates and instance profiles that exist in the account now. */
  leftovers(): Promise<readonly string[]>;
}

let serial = 0;

function aClaim(requirements: readonly RequirementTerm[], uid = `uid-${++serial}`): NodeClaim {
  return {
    metadata: { name: `pool-${uid}`, uid, labels: { [labels.nodePool]: 'pool', team: 'shop' } },
    spec: {
      requirements: requirements.map((term) => ({
        ...term,
        values: [...(term.values ?? [])],
      })) as NodeClaim['spec']['requirements'],
      resources: { requests: { cpu: '1', memory: '2Gi', pods: '4' } },
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    },
  };
}

const anIn = (key: string, ...values: string[]): RequirementTerm => ({
  key,
  operator: 'In',
  values,
});
const linux = anIn(labels.arch, 'amd64');
const spot = anIn(labels.capacityType, 'spot');
const onDemand = anIn(labels.capacityType, 'on-demand');
const either = anIn(labels.capacityType, 'spot', 'on-demand');
const ordinary = anIn('karpenter.k8s.aws/instance-family', 'm5', 'c5');
const calm = new AbortController().signal;

/** The class as the controller would store it: resolved, and ready at its generation. */
async function ready(
  cloud: CloudUnderTest,
  provider: CloudProvider,
  name = 'default',
): Promise<EC2NodeClass> {
  const nodeClass = cloud.nodeClass(name);
  const { status, conditions } = await cloud.settle(provider.resolve(nodeClass));
  const unready = conditions.filter((condition) => condition.status !== 'True');
  expect(unready).toEqual([]);
  const readyCondition = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: nodeClass.metadata.generation ?? 1,
  } as const;
  return { ...nodeClass, status: { ...status, conditions: [readyCondition] } };
}

async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (error instanceof CloudError) return error.kind;
    throw error;
  }
}

/** What every cloud provider must do, whatever cloud is behind it. */
export function describeCloudProvider(name: string, create: () => CloudUnderTest): void {
  describe(`${name} as a cloud provider`, () => {
    test('a launch meets the requirements of its claim', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const zone = nodeClass.status?.subnets?.[1]?.zone ?? '';
      const claim = aClaim([linux, ordinary, onDemand, anIn(labels.zone, zone)]);
      const launched = await cloud.settle(provider.launch(claim, nodeClass, calm));
      expect(launched.instanceType).toMatch(/^(m5|c5)\./);
      expect(launched).toMatchObject({ zone, capacityType: 'on-demand' });
      expect(launched.labels).toMatchObject({
        [labels.instanceType]: launched.instanceType,
        [labels.zone]: zone,
        [labels.capacityType]: 'on-demand',
        [labels.arch]: 'amd64',
        [labels.nodePool]: 'pool',
      });
      expect(launched.allocatable.cpu).toBeGreaterThanOrEqual(1_000);
      expect(launched.priceUsdPerHour).toBeGreaterThan(0);
    });

    test('the cheapest type that holds the claim is bought', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, onDemand]);
      const launched = await cloud.settle(provider.launch(claim, nodeClass, calm));
      const types = await cloud.settle(provider.instanceTypes(nodeClass));
      const prices = types
        .filter((type) => /^(m5|c5)\./.test(type.name) && (type.allocatable.memory ?? 0) >= 2 ** 31)
        .flatMap((type) => type.offerings.filter((one) => one.capacityType === 'on-demand'))
        .map((offering) => offering.priceUsdPerHour);
      expect(launched.priceUsdPerHour).toBe(Math.min(...prices));
    });

    test('launching twice for one claim gives one instance', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, onDemand]);
      const first = await cloud.settle(provider.launch(claim, nodeClass, calm));
      const second = await cloud.settle(provider.launch(claim, nodeClass, calm));
      expect(second).toEqual(first);
      expect(await cloud.liveInstances()).toHaveLength(1);
    });

    test('launching again after a crash gives the same instance, seen or not', async () => {
      for (const hiddenMs of [0, 10_000]) {
        const cloud = create();
        const provider = cloud.start();
        const nodeClass = await ready(cloud, provider);
        const claim = aClaim([linux, ordinary, onDemand]);
        cloud.hideYoungInstances(hiddenMs);
        const first = await cloud.settle(provider.launch(claim, nodeClass, calm));
        const second = await cloud.settle(cloud.start().launch(claim, nodeClass, calm));
        expect(second.providerId).toBe(first.providerId);
        expect(await cloud.liveInstances()).toHaveLength(1);
      }
    });

    test('a crash between attempts, and another choice after it, still gives one instance', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, either]);
      cloud.hideYoungInstances(10_000);
      cloud.runOut({ capacityType: 'spot', instanceType: 'c5.*' });
      const first = await cloud.settle(provider.launch(claim, nodeClass, calm));
      // The new life knows nothing of the shortage, and its class has lost a zone meanwhile.
      const fewer = {
        ...nodeClass,
        status: { ...nodeClass.status, subnets: nodeClass.status?.subnets?.slice(0, 2) ?? [] },
      };
      const second = await cloud.settle(cloud.start().launch(claim, fewer, calm));
      expect(second.providerId).toBe(first.providerId);
      expect(await cloud.liveInstances()).toHaveLength(1);
    });

    test('an instance whose launch answer was lost is not bought again', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      cloud.loseLaunchAnswers(1);
      const launched = await cloud.settle(
        provider.launch(aClaim([linux, ordinary, spot]), nodeClass, calm),
      );
      expect(await cloud.liveInstances()).toEqual([launched.providerId.split('/').at(-1)]);
    });

    test('a launch that never got an answer is unreachable, and its repeat finds the instance', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, spot]);
      cloud.loseLaunchAnswers(1_000);
      expect(await kindOf(cloud.settle(provider.launch(claim, nodeClass, calm)))).toBe(
        'unreachable',
      );
      cloud.loseLaunchAnswers(0);
      const launched = await cloud.settle(cloud.start().launch(claim, nodeClass, calm));
      expect(await cloud.liveInstances()).toEqual([launched.providerId.split('/').at(-1)]);
    });

    test('a lack of capacity has a kind of its own, and the next attempt goes elsewhere', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      cloud.runOut({ instanceType: 'm5.large', capacityType: 'on-demand' });
      const narrow = [linux, onDemand, anIn(labels.instanceType, 'm5.large')];
      expect(await kindOf(cloud.settle(provider.launch(aClaim(narrow), nodeClass, calm)))).toBe(
        'insufficient-capacity',
      );
      const offered = (await cloud.settle(provider.instanceTypes(nodeClass)))
        .find((type) => type.name === 'm5.large')
        ?.offerings.filter((one) => one.capacityType === 'on-demand' && one.isAvailable);
      expect(offered).toEqual([]);
      const wide = [linux, onDemand, anIn(labels.instanceType, 'm5.large', 'm5.xlarge')];
      const launched = await cloud.settle(provider.launch(aClaim(wide), nodeClass, calm));
      expect(launched.instanceType).toBe('m5.xlarge');
    });

    test('what was lacking is tried again after some minutes', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const isOffered = async (): Promise<boolean | undefined> =>
        (await cloud.settle(provider.instanceTypes(nodeClass)))
          .find((type) => type.name === 'm5.large')
          ?.offerings.some((one) => one.capacityType === 'on-demand' && one.isAvailable);
      cloud.runOut({ instanceType: 'm5.large', capacityType: 'on-demand' });
      const claim = aClaim([onDemand, anIn(labels.instanceType, 'm5.large')]);
      await kindOf(cloud.settle(provider.launch(claim, nodeClass, calm)));
      expect(await isOffered()).toBe(false);
      await cloud.letPass(200_000);
      expect(await isOffered()).toBe(true);
    });

    test('spot comes first, and on-demand when there is none', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const wanted = [linux, ordinary, either];
      const first = await cloud.settle(provider.launch(aClaim(wanted), nodeClass, calm));
      expect(first.capacityType).toBe('spot');
      cloud.runOut({ capacityType: 'spot' });
      const second = await cloud.settle(provider.launch(aClaim(wanted), nodeClass, calm));
      expect(second.capacityType).toBe('on-demand');
    });

    test('types are listed by name, and their labels allow every way to buy them', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const types = await cloud.settle(provider.instanceTypes(nodeClass));
      const names = types.map((type) => type.name);
      expect(names).toEqual([...names].sort());
      const zones = new Map(nodeClass.status?.subnets?.map((one) => [one.zone, one.zoneID]));
      for (const { name, requirements, capacity, allocatable, offerings } of types) {
        expect([...(requirements.get(labels.instanceType)?.values ?? [])]).toEqual([name]);
        for (const [resource, amount] of Object.entries(allocatable))
          expect(amount).toBeLessThanOrEqual(capacity[resource] ?? 0);
        for (const { zone, zoneId, capacityType, priceUsdPerHour, reservation } of offerings) {
          expect(requirements.get(labels.zone)?.values).toContain(zone);
          expect(requirements.get(labels.capacityType)?.values).toContain(capacityType);
          expect(zoneId).toBe(zones.get(zone));
          expect(priceUsdPerHour).toBeGreaterThan(0);
          expect(reservation !== undefined).toBe(capacityType === 'reserved');
        }
      }
    });

    test('the same list is given again while nothing has changed', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const first = await cloud.settle(provider.instanceTypes(nodeClass));
      await cloud.letPass(600_000);
      expect(await cloud.settle(provider.instanceTypes(nodeClass))).toBe(first);
    });

    test('the memory that a node reported is expected of the next machine, once it is told', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, onDemand]);
      const launched = await cloud.settle(provider.launch(claim, nodeClass, calm));
      const { instanceType, imageId, capacity } = launched;
      const memoryOf = async (asked: CloudProvider): Promise<number | undefined> =>
        (await cloud.settle(asked.instanceTypes(nodeClass))).find(
          (type) => type.name === instanceType,
        )?.capacity.memory;
      const memoryBytes = (capacity.memory ?? 0) - 2 ** 20;
      provider.learn({ instanceType, imageId, memoryBytes });
      expect(await memoryOf(provider)).toBe(memoryBytes);
      const nextLife = cloud.start();
      expect(await memoryOf(nextLife)).toBe(capacity.memory);
      nextLife.learn({ instanceType, imageId, memoryBytes });
      expect(await memoryOf(nextLife)).toBe(memoryBytes);
    });

    test('a class that is not ready launches nothing', async () => {
      const cloud = create();
      const provider = cloud.start();
      const claim = aClaim([linux]);
      const unresolved = cloud.nodeClass('default');
      expect(await kindOf(cloud.settle(provider.launch(claim, unresolved, calm)))).toBe(
        'node-class-not-ready',
      );
      expect(await cloud.liveInstances()).toEqual([]);
    });

    test('termination can be repeated and ends in gone', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const { providerId } = await cloud.settle(
        provider.launch(aClaim([linux, ordinary, onDemand]), nodeClass, calm),
      );
      expect(await cloud.settle(provider.get(providerId))).toMatchObject({ providerId });
      expect(await cloud.settle(provider.terminate(providerId, calm))).toBe('terminating');
      await cloud.settle(provider.terminate(providerId, calm));
      await cloud.letPass(600_000);
      expect(await cloud.settle(provider.terminate(providerId, calm))).toBe('gone');
      expect(await cloud.settle(provider.terminate(providerId, calm))).toBe('gone');
      expect(await cloud.settle(provider.get(providerId))).toBeUndefined();
      expect(await cloud.settle(provider.list())).toEqual([]);
    });

    test('the list shows what any life has launched, with the claim each is for', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claims = [aClaim([linux, ordinary, spot]), aClaim([linux, ordinary, onDemand])];
      const launched = await cloud.settle(
        Promise.all(claims.map((claim) => provider.launch(claim, nodeClass, calm))),
      );
      const listed = await cloud.settle(cloud.start().list());
      const byUid = new Map(listed.map((instance) => [instance.claimUid, instance]));
      for (const [index, claim] of claims.entries()) {
        const { providerId, instanceType, zone, capacityType } = launched[index] ?? {};
        const expected = { providerId, instanceType, zone, capacityType };
        expect(byUid.get(claim.metadata.uid)).toMatchObject(expected);
      }
      expect(listed).toHaveLength(2);
    });

    test('tags written after registration are listed', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, onDemand]);
      const { providerId } = await cloud.settle(provider.launch(claim, nodeClass, calm));
      await cloud.settle(provider.tag(providerId, { Name: 'ip-10-0-0-1' }));
      await cloud.settle(provider.tag(providerId, { Name: 'ip-10-0-0-1' }));
      const found = await cloud.settle(provider.get(providerId));
      expect(found?.tags).toMatchObject({ Name: 'ip-10-0-0-1', [labels.nodePool]: 'pool' });
    });

    test('resolving can be repeated, and releasing leaves nothing behind', async () => {
      const cloud = create();
      const before = await cloud.leftovers();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const again = await cloud.settle(cloud.start().resolve(nodeClass));
      expect(again.status).toEqual({ ...nodeClass.status, conditions: undefined });
      const claim = aClaim([linux, ordinary, onDemand]);
      const { providerId } = await cloud.settle(provider.launch(claim, nodeClass, calm));
      await cloud.settle(provider.terminate(providerId, calm));
      expect((await cloud.leftovers()).length).toBeGreaterThan(before.length);
      await cloud.settle(provider.release(nodeClass));
      await cloud.settle(provider.release(nodeClass));
      expect(await cloud.leftovers()).toEqual(before);
    });

    test('a selector that matches nothing is a condition that says what was sought', async () => {
      const cloud = create();
      const nodeClass = cloud.nodeClass('default');
      const nowhere = {
        ...nodeClass,
        spec: { ...nodeClass.spec, subnetSelectorTerms: [{ tags: { absent: 'yes' } }] },
      };
      const { conditions } = await cloud.settle(cloud.start().resolve(nowhere));
      const subnets = conditions.find((condition) => condition.type === 'SubnetsReady');
      expect(subnets).toMatchObject({ status: 'False', reason: 'SubnetsNotFound' });
      expect(subnets?.message).toContain('absent=yes');
    });

    test('launch templates that nobody uses are collected, those of an earlier life too', async () => {
      const cloud = create();
      const provider = cloud.start();
      const nodeClass = await ready(cloud, provider);
      const claim = aClaim([linux, ordinary, onDemand]);
      await cloud.settle(provider.launch(claim, nodeClass, calm));
      const later = cloud.start();
      expect(await cloud.settle(later.collectLaunchTemplates())).toEqual([]);
      await cloud.letPass(600_000);
      const collected = await cloud.settle(later.collectLaunchTemplates());
      expect(collected.length).toBeGreaterThan(0);
      expect(await cloud.settle(later.collectLaunchTemplates())).toEqual([]);
      const next = aClaim([linux, ordinary, onDemand]);
      await cloud.settle(provider.launch(next, nodeClass, calm));
      expect(await cloud.liveInstances()).toHaveLength(2);
    });
  });
}
