import { describe, expect, test } from 'vitest';
import { aPod } from '../../../test/validator/builders.ts';
import {
  firstRepellingTaint,
  isProtected,
  isReschedulable,
  portsClash,
  type Taint,
  type Toleration,
  tolerates,
} from './pod.ts';

const taint: Taint = { key: 'gpu', value: '4', effect: 'NoSchedule' };

describe('tolerations', () => {
  test.each<{ toleration: Toleration; covers: boolean }>([
    { toleration: { operator: 'Exists' }, covers: true },
    { toleration: { operator: 'Equal' }, covers: false },
    { toleration: { key: 'gpu', operator: 'Exists' }, covers: true },
    { toleration: { key: 'gpu', value: '4' }, covers: true },
    { toleration: { key: 'gpu', value: '5' }, covers: false },
    { toleration: { key: 'cpu', operator: 'Exists' }, covers: false },
    { toleration: { key: 'gpu', operator: 'Exists', effect: 'NoExecute' }, covers: false },
    { toleration: { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }, covers: true },
    { toleration: { key: 'gpu', operator: 'Gt', value: '3' }, covers: true },
    { toleration: { key: 'gpu', operator: 'Gt', value: '4' }, covers: false },
    { toleration: { key: 'gpu', operator: 'Lt', value: '5' }, covers: true },
    { toleration: { key: 'gpu', operator: 'Lt', value: 'x' }, covers: false },
    { toleration: { key: 'gpu', operator: 'Gt', value: '03' }, covers: false },
  ])('$toleration covers the taint: $covers', ({ toleration, covers }) => {
    expect(tolerates([toleration], taint)).toBe(covers);
  });

  test('a taint that only discourages repels nobody', () => {
    expect(firstRepellingTaint([], [{ key: 'x', effect: 'PreferNoSchedule' }, taint])).toBe(taint);
  });
});

describe('host ports', () => {
  const web = { ip: '', port: 80, protocol: 'TCP' };
  test.each([
    { other: { ip: '10.0.0.1', port: 80, protocol: 'TCP' }, clash: true },
    { other: { ip: '', port: 81, protocol: 'TCP' }, clash: false },
    { other: { ip: '', port: 80, protocol: 'UDP' }, clash: false },
  ])('port 80 of all addresses and $other', ({ other, clash }) => {
    expect(portsClash([web], [other])).toBe(clash);
  });

  test('one port of two addresses is two ports', () => {
    const at = (ip: string) => [{ ip, port: 80, protocol: 'TCP' }];
    expect(portsClash(at('10.0.0.1'), at('10.0.0.2'))).toBe(false);
    expect(portsClash(at('10.0.0.1'), at('::'))).toBe(true);
  });
});

test('protection for a time ends with it', () => {
  expect(isProtected(aPod({ doNotDisruptUntilMs: 10 }), 9)).toBe(true);
  expect(isProtected(aPod({ doNotDisruptUntilMs: 10 }), 10)).toBe(false);
  expect(isProtected(aPod({ doNotDisrupt: true }), Infinity)).toBe(true);
});

describe('pods that need a place when their node goes', () => {
  test.each([
    { pod: aPod(), needs: true },
    { pod: aPod({ isDaemon: true }), needs: false },
    { pod: aPod({ isMirror: true }), needs: false },
    { pod: aPod({ isTerminal: true }), needs: false },
    { pod: aPod({ isTerminating: true }), needs: false },
    {
      pod: aPod({ isTerminating: true, owner: { kind: 'StatefulSet', name: 'db' } }),
      needs: true,
    },
  ])('$pod.isTerminating $pod.owner.kind: $needs', ({ pod, needs }) => {
    expect(isReschedulable(pod)).toBe(needs);
  });
});
