import { expect, test } from 'vitest';
import { aPod } from '../../../test/validator/builders.ts';
import { aProvisioner, givenUpPod } from '../../../test/world/bare-provisioner.ts';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import type { Refusal } from '../../core/explain/reason.ts';
import { finish } from '../../core/steps.ts';
import type { EventDraft } from '../../ports/recorder.ts';
import { EventAllowance } from '../../runtime/event-allowance.ts';
import { provision } from './provisioner.ts';
import { Reporter } from './report.ts';

const podCount = 400;
const roundMs = 10_000;

test('where more pods find no place than can be told at once, each hears of it in its turn, and once', async () => {
  const clock = createVirtualClock();
  const parts = aProvisioner(clock);
  const allowance = new EventAllowance(clock);
  const told: string[] = [];
  const publish = ({ about, reason }: EventDraft): boolean => {
    const isTold = allowance.take(reason);
    if (isTold) told.push(about.metadata.name);
    return isTold;
  };
  const context = { ...parts.context, ports: { ...parts.context.ports, events: { publish } } };
  const reporter = new Reporter(context);
  for (let index = 0; index < podCount; index++)
    context.informers.pods.apply(givenUpPod(`pod-${index}`, { cpu: '1' }));
  const runRounds = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const working = provision({ ...parts, context, reporter });
      await clock.runFor(roundMs);
      await working;
    }
  };
  await runRounds(9);
  expect(told).toHaveLength(podCount);
  expect(new Set(told).size).toBe(podCount);
  // Reminders follow five minutes later, and no sooner.
  await runRounds(15);
  expect(told).toHaveLength(podCount);
  await runRounds(20);
  expect(told.length).toBeGreaterThan(podCount);
});

test('a reason that was told is not read again before it is due', async () => {
  const clock = createVirtualClock();
  const { context } = aProvisioner(clock);
  const reporter = new Reporter(context);
  let reads = 0;
  const refusal: Refusal = {
    code: 'too-large',
    parts: [],
    get sentence() {
      reads++;
      return 'it is too large.';
    },
  };
  const unplaced = [{ pod: aPod(), refusal }];
  const tell = (): void => finish(reporter.telling({ unplaced, placed: [] }));
  tell();
  const readAtFirst = reads;
  tell();
  expect([readAtFirst > 0, reads]).toEqual([true, readAtFirst]);
});
