import assert from 'node:assert/strict';
import type { EC2NodeClass, Tags } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { sleep } from '../../../ports/clock.ts';
import { CloudError, type LaunchedInstance } from '../../../ports/cloud-provider.ts';
import { codeOf, subnetFullCode } from '../calls/errors.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs } from '../context.ts';
import { type InstanceRecord, isLive } from '../instances/instance-record.ts';
import type { Instances } from '../instances/instances.ts';
import { providerIdOf } from '../instances/provider-id.ts';
import type { RefusalBook } from '../node-class/refusal-book.ts';
import type { Subnets } from '../node-class/subnets.ts';
import { claimTags, launchTags } from '../node-class/tags.ts';
import { type InstanceTypes, imageFor } from '../types/instance-types.ts';
import { token } from './content-hash.ts';
import {
  describeRefusals,
  type FleetAnswer,
  type FleetMachine,
  fleetError,
  isOutOfCapacity,
  isTemplateMissing,
} from './fleet-answer.ts';
import type { Fleets } from './fleets.ts';
import { chooseLaunch, type LaunchChoice } from './launch-choice.ts';
import { checkReady } from './launch-gate.ts';
import { launchedInstance } from './launched-instance.ts';

interface LaunchParts {
  readonly fleets: Fleets;
  readonly instances: Instances;
  readonly instanceTypes: InstanceTypes;
  readonly subnets: Subnets;
  readonly refusals: RefusalBook;
}

export type Launch = (
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  signal: AbortSignal,
) => Promise<LaunchedInstance>;

/** How long EC2 may take to show an instance that it has accepted. */
const settleMs = 20_000;
const lookAgainMs = 2_000;
const maxAttempts = 20;

/** What one call of `launch` knows and has learnt. */
interface Purchase {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  readonly uid: string;
  readonly signal: AbortSignal;
  readonly doing: string;
  readonly tags: Tags;
  readonly refused: Set<CapacityType>;
  readonly reasons: string[];
  /** Machines of this claim that have ended; a repeated answer may name them again. */
  readonly dead: Set<string>;
  hasSettled: boolean;
}

/**
 * Buys exactly one machine per claim, through crashes, lost answers and repeats.
 *
 * 1. An instance tagged with the claim's uid is the claim's: it is looked for first.
 * 2. EC2 may not show it for some seconds. So every purchase also carries a token, made of the
 *    uid and the number of purchases that EC2 has answered with nothing. Repeating a request
 *    gives the same machine. Repeating it with other types or prices is refused
 *    (IdempotentParameterMismatch), which tells us that an earlier life has bought already: we
 *    wait until EC2 must show the machine, and only then count that purchase as empty.
 *
 * With a hash of the parameters in the token there would be no such refusal: after a crash, with
 * newer prices, a second machine would be bought. designs/0003 has the whole argument.
 */
export function createLaunch(context: AwsContext, parts: LaunchParts): Launch {
  const { clock } = context;
  /** By claim: purchases that EC2 has answered, and that left no machine. */
  const emptyPurchases = new ExpiringMap<string, number>(clock, 24 * hourMs);
  const running = new Map<string, Promise<LaunchedInstance>>();

  async function run(purchase: Purchase): Promise<LaunchedInstance> {
    checkReady(purchase.nodeClass, purchase.doing);
    const existing = await look(purchase);
    if (existing !== undefined) return describe(existing, purchase);
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      purchase.signal.throwIfAborted();
      const record = await buy(purchase);
      if (record !== undefined) return describe(record, purchase);
    }
    throw outOfCapacity(purchase, `gave up after ${maxAttempts} attempts`);
  }

  /** The machine; or undefined when this attempt brought none and another may. */
  async function buy(purchase: Purchase): Promise<InstanceRecord | undefined> {
    const { claim, nodeClass, uid, refused } = purchase;
    const types = await parts.instanceTypes.list(nodeClass);
    const subnetByZone = parts.subnets.choose(nodeClass);
    const zones = new Map([...subnetByZone].map(([zone, subnet]) => [zone, subnet.zoneID]));
    const choice = chooseLaunch({ claim, types, zones, refused });
    if ('kind' in choice) throw outOfCapacity(purchase, choice.message);
    const clientToken = token('fleet', uid, emptyPurchases.get(uid) ?? 0);
    try {
      const answer = await parts.fleets.order({ ...purchase, choice, subnetByZone, clientToken });
      return answer === 'unheard' ? undefined : accept(answer, choice, purchase);
    } catch (error) {
      if (codeOf(error) !== 'IdempotentParameterMismatch') throw error;
      return settle(purchase);
    }
  }

  function accept(
    { machine, refusals }: FleetAnswer,
    choice: LaunchChoice,
    purchase: Purchase,
  ): InstanceRecord | undefined {
    parts.refusals.note(refusals, choice);
    if (machine !== undefined && !purchase.dead.has(machine.instanceId))
      return record(machine, choice, purchase);
    countEmpty(purchase.uid);
    if (machine !== undefined || isTemplateMissing(refusals)) return undefined;
    if (!isOutOfCapacity(refusals)) throw fleetError(refusals, purchase.doing);
    // A full subnet says nothing against its zone or this way of buying: the next choice avoids it.
    if (!refusals.some(({ code }) => code === subnetFullCode))
      purchase.refused.add(choice.capacityType);
    purchase.reasons.push(`${choice.capacityType}: ${describeRefusals(refusals)}`);
    return undefined;
  }

  /** Only an answer of EC2 uses a number up: after a restart we count from zero along its memory. */
  function countEmpty(uid: string): void {
    emptyPurchases.set(uid, (emptyPurchases.get(uid) ?? 0) + 1);
  }

  function record(machine: FleetMachine, choice: LaunchChoice, purchase: Purchase): InstanceRecord {
    const { nodeClass, claim, uid, tags } = purchase;
    const type = choice.candidates.find((one) => one.type.name === machine.instanceType)?.type;
    const subnet = nodeClass.status?.subnets?.find((one) => one.id === machine.subnetId);
    const zone = machine.zone ?? subnet?.zone ?? '';
    const bought: InstanceRecord = {
      id: machine.instanceId,
      providerId: providerIdOf(zone, machine.instanceId),
      instanceType: machine.instanceType,
      zone,
      capacityType: choice.capacityType,
      state: 'pending',
      launchedAtMs: clock.nowMs(),
      tags: { ...tags, ...claimTags(claim) },
      claimUid: uid,
      imageId: (type && imageFor(type, nodeClass.status?.amis)?.id) ?? '',
      subnetId: machine.subnetId ?? '',
      tenancy: choice.tenancy,
    };
    parts.instances.remember(bought);
    parts.subnets.expectUse(bought.subnetId, type?.capacity.pods ?? 0);
    return bought;
  }

  async function look(purchase: Purchase): Promise<InstanceRecord | undefined> {
    const records = await parts.instances.ofClaim(purchase.uid);
    for (const one of records) if (!isLive(one)) purchase.dead.add(one.id);
    return records.find(isLive);
  }

  /** An earlier life has used this token. Its machine shows within the settling time, or never will. */
  async function settle(purchase: Purchase): Promise<InstanceRecord | undefined> {
    const untilMs = clock.nowMs() + (purchase.hasSettled ? 0 : settleMs);
    for (;;) {
      const found = await look(purchase);
      if (found !== undefined) return found;
      if (clock.nowMs() >= untilMs) break;
      await sleep(clock, lookAgainMs, purchase.signal);
    }
    purchase.hasSettled = true;
    countEmpty(purchase.uid);
    return undefined;
  }

  async function describe(found: InstanceRecord, purchase: Purchase): Promise<LaunchedInstance> {
    const types = await parts.instanceTypes.list(purchase.nodeClass);
    const type = types.find((one) => one.name === found.instanceType);
    return launchedInstance({ record: found, nodeClass: purchase.nodeClass, type });
  }

  return (claim, nodeClass, signal) => {
    const { uid } = claim.metadata;
    assert(uid, 'a claim without a uid cannot be launched: it is the key to its machine');
    const known = running.get(uid);
    if (known !== undefined) return known;
    const work = run(newPurchase(context, { claim, nodeClass, signal, uid })).finally(() =>
      running.delete(uid),
    );
    running.set(uid, work);
    return work;
  };
}

function newPurchase(
  context: AwsContext,
  given: Pick<Purchase, 'claim' | 'nodeClass' | 'signal' | 'uid'>,
): Purchase {
  const { claim, nodeClass } = given;
  return {
    ...given,
    doing: `launching nodeclaim ${claim.metadata.name}`,
    tags: launchTags({
      clusterName: context.settings.clusterName,
      nodeClass,
      nodePool: claim.metadata.labels?.[labels.nodePool] ?? '',
    }),
    refused: new Set(),
    reasons: [],
    dead: new Set(),
    hasSettled: false,
  };
}

function outOfCapacity(purchase: Purchase, message: string): CloudError {
  // What EC2 refused says more than that nothing else was left to ask for.
  const reasons = purchase.reasons.length > 0 ? purchase.reasons.join('; ') : message;
  return new CloudError(
    'insufficient-capacity',
    'InsufficientCapacity',
    `${purchase.doing}: ${reasons}`,
  );
}
