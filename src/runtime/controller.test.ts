import { describe, expect, test } from 'vitest';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createMetrics } from '../adapters/system/metrics.ts';
import { createVirtualClock, type VirtualClock } from '../adapters/system/virtual-clock.ts';
import { sleep } from '../ports/clock.ts';
import { runController } from './controller.ts';
import { after as comeBackAfter, onChange, type Reconcile } from './reconcile.ts';
import { runSingleton } from './singleton.ts';

function start(reconcile: (clock: VirtualClock) => Reconcile, concurrency?: number) {
  const clock = createVirtualClock(0);
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): number => lines.push(JSON.parse(line));
  const log = createJsonLog({ clock, level: 'debug', write });
  const metrics = createMetrics();
  const stop = new AbortController();
  const options = { name: 'test', clock, log, metrics, concurrency, reconcile: reconcile(clock) };
  return { clock, lines, metrics, stop, controller: runController(options, stop.signal) };
}

describe('a controller', () => {
  test('asks in a burst are one reconcile', async () => {
    const seen: string[] = [];
    const { clock, controller } = start(() => async (key) => {
      seen.push(key);
      return onChange;
    });
    controller.enqueue('a');
    controller.enqueue('a');
    controller.enqueue('b');
    await clock.runFor(1);
    expect(seen).toEqual(['a', 'b']);
  });

  test('a change during a reconcile is followed by another reconcile', async () => {
    const starts: number[] = [];
    const { clock, controller } = start((time) => async () => {
      starts.push(time.nowMs());
      await sleep(time, 100);
      return onChange;
    });
    controller.enqueue('a');
    clock.schedule(50, () => controller.enqueue('a'));
    await clock.runFor(1_000);
    expect(starts).toEqual([0, 100]);
  });

  test('after(ms) comes back at that time, or sooner if asked', async () => {
    const starts: number[] = [];
    const { clock, controller } = start((time) => async () => {
      starts.push(time.nowMs());
      return starts.length < 3 ? comeBackAfter(1_000) : onChange;
    });
    controller.enqueue('a');
    clock.schedule(1_300, () => controller.enqueue('a'));
    await clock.runFor(60_000);
    expect(starts).toEqual([0, 1_000, 1_300]);
  });

  test('a key that fails is tried again after growing delays, and the error is logged with the key', async () => {
    const starts: number[] = [];
    const { clock, controller, lines, metrics } = start((time) => async () => {
      starts.push(time.nowMs());
      if (starts.length <= 4) throw new Error('not yet');
      return onChange;
    });
    controller.enqueue('ns/a');
    await clock.runFor(600_000);
    expect(starts).toEqual([0, 100, 300, 700, 1_500]);
    expect(lines[0]).toMatchObject({ level: 'ERROR', key: 'ns/a', error: 'not yet' });
    const exposed = metrics.expose();
    expect(exposed).toContain('controller_runtime_reconcile_errors_total{controller="test"} 4\n');
    expect(exposed).toContain('reconcile_total{controller="test",result="error"} 4\n');
    expect(exposed).toContain('reconcile_total{controller="test",result="success"} 1\n');
    expect(exposed).toContain('reconcile_time_seconds_count{controller="test"} 5\n');
  });

  test('a key that goes on failing does not fill the log', async () => {
    const { clock, controller, lines } = start((time) => async () => {
      if (time.nowMs() < 3_600_000) throw new Error(`ending i-${time.nowMs()}: not allowed`);
      return onChange;
    });
    controller.enqueue('a');
    await clock.runFor(7_200_000);
    const told = lines.filter(({ level }) => level !== 'DEBUG');
    expect(told.length).toBeLessThan(15);
    expect(told[0]).toMatchObject({ level: 'ERROR', message: 'reconciling failed', key: 'a' });
    expect(told.at(-1)).toMatchObject({ level: 'INFO', message: 'reconciling works again' });
  });

  test('a success forgets earlier failures', async () => {
    const starts: number[] = [];
    const { clock, controller } = start((time) => async () => {
      starts.push(time.nowMs());
      if (starts.length % 3 !== 0) throw new Error('two of three fail');
      return onChange;
    });
    controller.enqueue('a');
    clock.schedule(1_000, () => controller.enqueue('a'));
    await clock.runFor(2_000);
    expect(starts).toEqual([0, 100, 300, 1_000, 1_100, 1_300]);
  });

  test('a reconcile that throws before it awaits is a failure like any other', async () => {
    const { clock, controller, lines } = start(() => () => {
      throw new TypeError('a mistake');
    });
    controller.enqueue('a');
    await clock.runFor(1);
    expect(lines[0]).toMatchObject({ level: 'ERROR', error: 'a mistake' });
  });

  test('once aborted nothing new starts, and done waits for what is under way', async () => {
    const trace: string[] = [];
    const { clock, controller, stop } = start(
      (time) => async (key) => {
        trace.push(`${key} started`);
        await sleep(time, 100);
        trace.push(`${key} ended`);
        return comeBackAfter(1);
      },
      1,
    );
    controller.enqueue('a');
    controller.enqueue('b');
    clock.schedule(50, () => stop.abort());
    void controller.done.then(() => trace.push(`done at ${clock.nowMs()}`));
    await clock.runFor(1_000);
    controller.enqueue('c');
    await clock.runFor(1_000);
    expect(trace).toEqual(['a started', 'a ended', 'done at 100']);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('ending by throwing after the abort is no failure', async () => {
    const { clock, controller, stop, lines } = start((time) => async (_, signal) => {
      await sleep(time, 1_000, signal);
      return onChange;
    });
    controller.enqueue('a');
    clock.schedule(50, () => stop.abort(new Error('the end')));
    await clock.runFor(2_000);
    await controller.done;
    expect(lines).toEqual([]);
  });
});

describe('a singleton', () => {
  test('starts at once, never overlaps, and asks during a round are one more round', async () => {
    const clock = createVirtualClock(0);
    const log = createJsonLog({ clock, level: 'error', write: () => {} });
    const stop = new AbortController();
    const starts: number[] = [];
    const reconcile = async () => {
      starts.push(clock.nowMs());
      await sleep(clock, 100);
      return starts.length === 2 ? comeBackAfter(1_000) : onChange;
    };
    const loop = runSingleton({ name: 'loop', clock, log, reconcile }, stop.signal);
    clock.schedule(10, () => loop.trigger());
    clock.schedule(20, () => loop.trigger());
    await clock.runFor(10_000);
    expect(starts).toEqual([0, 100, 1_200]);
    stop.abort();
    await loop.done;
  });
});
