import { describe, expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { fork } from '../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { leases } from '../api/kubernetes/core.ts';
import { sleep } from '../ports/clock.ts';
import type { HttpHandler } from '../ports/http.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { runLeaderElection } from './leader-election.ts';

const lease = { namespace: 'kube-system', name: 'karpenter-leader-election' };

function setUp() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const startMs = clock.nowMs();
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  const server = createKubeServer({ clock, random: fork(1, 'server') });
  const trace: string[] = [];
  const note = (text: string): number => trace.push(`${(clock.nowMs() - startMs) / 1_000} ${text}`);
  const direct = createKubeClient({ send: server.handle, clock });

  function stand(identity: string, windDownMs = 0) {
    let isCut = false;
    const send: HttpHandler = async (request) => {
      if (isCut) throw new Error('cut');
      return server.handle(request);
    };
    const stop = new AbortController();
    const done = runLeaderElection(
      {
        client: createKubeClient({ send, clock }),
        clock,
        log,
        random: { fraction: () => 0 },
        identity,
        ...lease,
        onStarted: () => note(`${identity} started`),
        onStopped: () => note(`${identity} stopped`),
        lead: async (signal) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          note(`${identity} winding down`);
          await sleep(clock, windDownMs);
        },
      },
      stop.signal,
    );
    const cut = (): void => {
      isCut = true;
    };
    return { stop, done, cut };
  }
  return { clock, trace, direct, stand };
}

describe('leader election', () => {
  test('the first to come leads and renews every two seconds', async () => {
    const { clock, trace, direct, stand } = setUp();
    stand('one');
    await clock.runFor(9_000);
    expect(trace).toEqual(['0 one started']);
    expect((await direct.get(leases, lease))?.spec).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:08.000000Z',
      leaseTransitions: 0,
    });
  });

  test('on shutdown the work ends first, the lease is held meanwhile, and the next one takes over', async () => {
    const { clock, trace, direct, stand } = setUp();
    const first = stand('one', 30_000);
    await clock.runFor(1);
    stand('two');
    await clock.runFor(10_000);
    first.stop.abort();
    await clock.runFor(60_000);
    await first.done;
    const [, windingDown, stopped, started] = trace;
    expect([windingDown, stopped]).toEqual(['10.001 one winding down', '40.001 one stopped']);
    const [atSeconds, ...rest] = started?.split(' ') ?? [];
    expect(rest).toEqual(['two', 'started']);
    expect(Number(atSeconds)).toBeGreaterThanOrEqual(40);
    expect(Number(atSeconds)).toBeLessThan(43);
    expect((await direct.get(leases, lease))?.spec?.leaseTransitions).toBe(1);
  });

  test('a holder that cannot renew stops ten seconds after its last renewal; others wait for fifteen', async () => {
    const { clock, trace, stand } = setUp();
    const first = stand('one');
    await clock.runFor(1);
    stand('two');
    await clock.runFor(10_500);
    first.cut();
    await clock.runFor(60_000);
    expect(trace.slice(0, 3)).toEqual(['0 one started', '20 one winding down', '20 one stopped']);
    const [atSeconds] = trace[3]?.split(' ') ?? [];
    expect(Number(atSeconds)).toBeGreaterThanOrEqual(25);
    expect(Number(atSeconds)).toBeLessThan(28);
  });

  test('a holder whose lease was given to somebody else stops at its next renewal', async () => {
    const { clock, trace, direct, stand } = setUp();
    stand('one');
    await clock.runFor(5_000);
    const body = { spec: { holderIdentity: 'usurper' } };
    await direct.patch(leases, lease, { type: 'merge', body });
    await clock.runFor(6_000);
    expect(trace[1]).toMatch(/^[68] one winding down$/);
  });

  test('stopping a candidate that never led is quick and leaves no timer', async () => {
    const { clock, trace, stand } = setUp();
    const first = stand('one');
    await clock.runFor(1_000);
    const second = stand('two');
    await clock.runFor(1_000);
    second.stop.abort();
    await second.done;
    first.stop.abort();
    await clock.runFor(100);
    await first.done;
    expect(trace.filter((line) => line.includes('two'))).toEqual([]);
    expect(clock.pendingTimers()).toBe(0);
  });
});
