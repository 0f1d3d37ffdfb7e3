import assert from 'node:assert/strict';
import { launchGroupOf } from '../../../api/karpenter/launch-group.ts';
import { sleep } from '../../../ports/clock.ts';
import type { CloudProvider, LaunchedInstance } from '../../../ports/cloud-provider.ts';
import { codeOf, subnetFullCode } from '../calls/errors.ts';
import { ExpiringMap } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs } from '../context.ts';
import { type InstanceRecord, isLive } from '../instances/instance-record.ts';
import type { Instances } from '../instances/instances.ts';
import type { RefusalBook } from '../node-class/refusal-book.ts';
import type { Subnets } from '../node-class/subnets.ts';
import type { Reservations } from '../reservations/reservations.ts';
import type { InstanceTypes } from '../types/instance-types.ts';
import { boughtRecord } from './bought-record.ts';
import { token } from './content-hash.ts';
import {
  describeRefusals,
  type FleetAnswer,
  fleetError,
  isOutOfCapacity,
  isTemplateMissing,
} from './fleet-answer.ts';
import type { Fleets } from './fleets.ts';
import { Gathering } from './gathering.ts';
import { chooseLaunch, type LaunchChoice } from './launch-choice.ts';
import { checkReady } from './launch-gate.ts';
import { launchedInstance } from './launched-instance.ts';
import {
  findingTags,
  type LaunchWish,
  newPurchase,
  outOfCapacity,
  type Purchase,
} from './purchase.ts';

interface LaunchParts {
  readonly fleets: Fleets;
  readonly instances: Instances;
  readonly instanceTypes: InstanceTypes;
  readonly subnets: Subnets;
  readonly refusals: RefusalBook;
  readonly reservations: Reservations;
}

export type Launch = CloudProvider['launch'];

/** How long EC2 may take to show an instance that it has accepted. */
const settleMs = 20_000;
const lookAgainMs = 2_000;
const maxAttempts = 20;

/** What one purchase that EC2 has answered brought, by id. */
type Round = readonly InstanceRecord[];

/** Machines in the order in which members of a group take them, and why there are not more. */
interface Outcome {
  readonly machines: Round;
  /** Those of them that have ended already. */
  readonly dead: ReadonlySet<string>;
  readonly failure: unknown;
}

/**
 * Buys exactly one machine per claim, through crashes, lost answers and repeats.
 *
 * 1. An instance tagged with the claim's uid is the claim's: it is looked for first.
 * 2. EC2 may not show it for some seconds. So every purchase also carries a token, made of the
 *    uid and the number of purchases that EC2 has answered. Repeating a request gives the same
 *    machine. Repeating it with other types or prices is refused (IdempotentParameterMismatch),
 *    which tells us that an earlier life has bought already: we wait until EC2 must show the
 *    machine, and only then count that purchase as answered with what is seen.
 * 3. Claims of a group are bought in one request under the group's id. Their machines, by id,
 *    belong to them in the order of their index, whoever deals them out.
 *
 * designs/0003 and 0009 have the whole argument.
 */
export function createLaunch(context: AwsContext, parts: LaunchParts): Launch {
  const { clock } = context;
  /** By the key of the purchase: what EC2 has answered, round by round. */
  const answered = new ExpiringMap<string, readonly Round[]>(clock, 24 * hourMs);
  const running = new Map<string, Promise<Outcome>>();
  const gathering = new Gathering<Outcome>(clock, (wish) => start(wish));

  /** Two calls for the same at the same time share one purchase. */
  function start(wish: LaunchWish): Promise<Outcome> {
    const purchase = newPurchase(context, wish);
    const work = running.get(purchase.key) ?? run(purchase);
    running.set(purchase.key, work);
    return work.finally(() => running.delete(purchase.key));
  }

  async function run(purchase: Purchase): Promise<Outcome> {
    try {
      checkReady(purchase.nodeClass, purchase.doing);
      const existing = await look(purchase);
      if (existing !== undefined) return { ...outcomeOf(purchase), machines: [existing] };
      for (let attempt = 0; missing(purchase) > 0; attempt++) {
        purchase.signal.throwIfAborted();
        if (attempt === maxAttempts)
          throw outOfCapacity(purchase, { message: `gave up after ${maxAttempts} attempts` });
        await buy(purchase);
      }
      return outcomeOf(purchase);
    } catch (failure) {
      return outcomeOf(purchase, failure);
    }
  }

  function outcomeOf(purchase: Purchase, failure?: unknown): Outcome {
    return { machines: machinesOf(purchase), dead: purchase.dead, failure };
  }

  async function buy(purchase: Purchase): Promise<void> {
    const { claim, nodeClass, key, refused, spotLimitUsdPerHour } = purchase;
    const types = await parts.instanceTypes.list(nodeClass);
    const subnetByZone = parts.subnets.choose(nodeClass);
    const zones = new Map([...subnetByZone].map(([zone, subnet]) => [zone, subnet.zoneID]));
    const choice = chooseLaunch({ claim, types, zones, refused, spotLimitUsdPerHour });
    if ('kind' in choice) {
      if (choice.kind === 'too-dear') parts.refusals.relent();
      throw outOfCapacity(purchase, choice);
    }
    const round = roundsOf(key).length;
    const order = {
      ...purchase,
      choice,
      subnetByZone,
      capacity: missing(purchase),
      findingTags: findingTags(purchase, round),
      clientToken: token('fleet', key, round),
    };
    try {
      const answer = await parts.fleets.order(order);
      if (answer !== 'unheard') accept(answer, choice, purchase);
    } catch (error) {
      if (codeOf(error) !== 'IdempotentParameterMismatch') throw error;
      note(key, await settle(purchase, round));
    }
  }

  function accept(
    { machines, refusals }: FleetAnswer,
    choice: LaunchChoice,
    purchase: Purchase,
  ): void {
    const { key, dead, group } = purchase;
    const wanted = missing(purchase);
    parts.refusals.note(refusals, choice);
    const round = roundsOf(key).length;
    const bought = machines
      .filter(({ instanceId }) => group !== undefined || !dead.has(instanceId))
      .map((machine) => boughtRecord({ machine, choice, purchase, round, nowMs: clock.nowMs() }));
    for (const one of bought) {
      parts.instances.remember(one);
      parts.subnets.expectUse(one.subnetId, podsOf(choice, one.instanceType));
      if (one.reservationId !== undefined) parts.reservations.noteLaunch(one.reservationId);
    }
    note(key, bought);
    // A machine that has ended since, or a template that was gone: nothing speaks against this way.
    if (machines.length >= wanted || isTemplateMissing(refusals)) return;
    purchase.reasons.push(`${choice.capacityType}: ${describeRefusals(refusals)}`);
    if (machines.length > 0) return;
    if (!isOutOfCapacity(refusals)) throw fleetError(refusals, purchase.doing);
    // A full subnet says nothing against its zone or this way of buying: the next choice avoids it.
    if (!refusals.some(({ code }) => code === subnetFullCode))
      purchase.refused.add(choice.capacityType);
  }

  function roundsOf(key: string): readonly Round[] {
    return answered.get(key) ?? [];
  }

  /** Only an answer of EC2 uses a number up: after a restart we count from zero along its memory. */
  function note(key: string, machines: Round): void {
    const sorted = [...machines].sort((a, b) => (a.id < b.id ? -1 : 1));
    answered.set(key, [...roundsOf(key), sorted]);
  }

  function machinesOf({ key, dead, group }: Purchase): Round {
    const all = roundsOf(key).flat();
    // In a group each keeps its place, be its machine dead or alive.
    return group === undefined ? all.filter(({ id }) => !dead.has(id)) : all;
  }

  function missing(purchase: Purchase): number {
    return purchase.size - machinesOf(purchase).length;
  }

  /** The machine of a single claim, if EC2 shows it; and which machines have ended. */
  async function look(purchase: Purchase): Promise<InstanceRecord | undefined> {
    const records = await shown(purchase);
    if (purchase.group === undefined) return records.find(isLive);
    // The whole first round is in sight: no need to ask for it again.
    const first = records.filter(({ launchGroup }) => launchGroup === `${purchase.key}.0`);
    if (roundsOf(purchase.key).length === 0 && first.length === purchase.size)
      note(purchase.key, first);
    return undefined;
  }

  async function shown(purchase: Purchase): Promise<Round> {
    const { instances } = parts;
    const isAlone = purchase.group === undefined;
    const records = await (isAlone ? instances.ofClaim : instances.ofGroup)(purchase.key);
    for (const one of records) if (!isLive(one)) purchase.dead.add(one.id);
    return records;
  }

  /** An earlier life has used this token. Its machines show within the settling time, or never will. */
  async function settle(purchase: Purchase, round: number): Promise<Round> {
    const untilMs = clock.nowMs() + (purchase.hasSettled ? 0 : settleMs);
    for (;;) {
      const found = (await shown(purchase)).filter(({ launchGroup }) =>
        purchase.group === undefined ? true : launchGroup === `${purchase.key}.${round}`,
      );
      const isEnough = found.filter(isLive).length >= missing(purchase);
      if (!isEnough && clock.nowMs() < untilMs) {
        await sleep(clock, lookAgainMs, purchase.signal);
        continue;
      }
      if (!isEnough) purchase.hasSettled = true;
      return purchase.group === undefined ? found.filter(isLive) : found;
    }
  }

  async function describe(found: InstanceRecord, wish: LaunchWish): Promise<LaunchedInstance> {
    const types = await parts.instanceTypes.list(wish.nodeClass);
    const type = types.find((one) => one.name === found.instanceType);
    return launchedInstance({ record: found, nodeClass: wish.nodeClass, type });
  }

  return async (claim, nodeClass, signal, limits) => {
    const { uid } = claim.metadata;
    assert(uid, 'a claim without a uid cannot be launched: it is the key to its machine');
    const { spotUsdPerHour: spotLimitUsdPerHour } = limits ?? {};
    const wish = { claim, nodeClass, signal, spotLimitUsdPerHour };
    const group = launchGroupOf(claim);
    const outcome = await (group === undefined ? start(wish) : gathering.join(group, wish));
    const machine = outcome.machines[group?.index ?? 0];
    if (machine === undefined) throw outcome.failure;
    if (!outcome.dead.has(machine.id)) return describe(machine, wish);
    const message = `its machine ${machine.id} has ended already`;
    throw outOfCapacity(newPurchase(context, wish), { message });
  };
}

function podsOf({ candidates }: LaunchChoice, instanceType: string): number {
  return candidates.find((one) => one.type.name === instanceType)?.type.capacity.pods ?? 0;
}
