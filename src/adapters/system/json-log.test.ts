import { describe, expect, test } from 'vitest';
import { KubeError } from '../../ports/kube.ts';
import { createJsonLog, type LogLevel } from './json-log.ts';
import { createVirtualClock } from './virtual-clock.ts';

function record(level: LogLevel) {
  const lines: string[] = [];
  const clock = createVirtualClock(Date.UTC(2026, 10, 16, 9, 30));
  const log = createJsonLog({ clock, level, write: (line) => lines.push(line) });
  return {
    log,
    parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    lines,
  };
}

describe('the JSON log', () => {
  test('a line is level, time, logger and message, then the fields', () => {
    const { log, lines } = record('info');
    log.with({ controller: 'nodeclaim.lifecycle' }).info('launched', { NodeClaim: 'web-1' });
    expect(lines).toEqual([
      '{"level":"INFO","time":"2026-11-16T09:30:00.000Z","logger":"controller","message":"launched","controller":"nodeclaim.lifecycle","NodeClaim":"web-1"}\n',
    ]);
  });

  test.each([
    { level: 'debug', written: ['DEBUG', 'INFO', 'ERROR'] },
    { level: 'info', written: ['INFO', 'ERROR'] },
    { level: 'error', written: ['ERROR'] },
  ] as const)('at $level nothing below is written', ({ level, written }) => {
    const { log, parsed } = record(level);
    log.debug('a');
    log.info('b');
    log.error('c');
    expect(parsed().map((line) => line.level)).toEqual(written);
  });

  test('an error becomes its words, with those of its cause, and its kind and stack beside', () => {
    const { log, parsed } = record('info');
    const cause = new Error('socket hang up');
    log.error('failed', { error: new KubeError('unreachable', 'listing pods', { cause }) });
    expect(parsed()[0]).toMatchObject({
      error: 'listing pods: socket hang up',
      errorKind: 'unreachable',
      errorStack: expect.stringContaining('json-log.test.ts'),
    });
  });

  test('a field cannot pass for the message', () => {
    const { log, parsed } = record('info');
    log.info('true message', { message: 'other', level: 'OTHER' });
    expect(parsed()[0]).toMatchObject({
      level: 'INFO',
      message: 'true message',
      'field.message': 'other',
      'field.level': 'OTHER',
    });
  });

  test('what JSON cannot hold is written in a readable form and never throws', () => {
    const { log, parsed } = record('info');
    const loop: Record<string, unknown> = { name: 'loop' };
    loop.self = loop;
    log.info('odd', { big: 12n, set: new Set(['a']), map: new Map([['k', 1]]), loop });
    expect(parsed()[0]).toMatchObject({
      big: '12',
      set: ['a'],
      map: { k: 1 },
      loop: { name: 'loop', self: '[seen above]' },
    });
  });
});
