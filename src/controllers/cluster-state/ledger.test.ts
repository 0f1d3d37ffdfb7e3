import { describe, expect, test } from 'vitest';
import { type LedgerView, type Place, ReservationLedger } from './ledger.ts';

const claim: Place = { kind: 'claim', name: 'spot-1' };
const node: Place = { kind: 'node', name: 'system-1' };
const patienceMs = 20_000;

function viewOf(states: Record<string, ReturnType<LedgerView['stateOf']>>): LedgerView {
  return {
    isWaiting: (uid) => !uid.startsWith('gone'),
    stateOf: ({ name }) => states[name] ?? 'gone',
  };
}

describe('a reservation', () => {
  test('lasts for as long as its claim is on the way', () => {
    const ledger = new ReservationLedger(patienceMs);
    ledger.reserve('a', claim, 0);
    ledger.prune(viewOf({ 'spot-1': 'coming' }), 3_600_000);
    expect(ledger.placeOf('a')).toEqual(claim);
    expect(ledger.reservedFor(claim)).toEqual(['a']);
  });

  test.each([
    { name: 'the pod is gone or bound', uid: 'gone', states: { 'spot-1': 'coming' as const } },
    { name: 'the claim is gone', uid: 'a', states: {} },
    {
      name: 'the node has been ready for longer than the patience',
      uid: 'a',
      states: { 'spot-1': { readySinceMs: 30_000 } },
    },
  ])('ends when $name', ({ uid, states }) => {
    const ledger = new ReservationLedger(patienceMs);
    ledger.reserve(uid, claim, 0);
    ledger.prune(viewOf(states), 50_000);
    expect(ledger.placeOf(uid)).toBeUndefined();
    expect(ledger.reservedFor(claim)).toEqual([]);
  });

  test('on a node that has long been ready is measured from the plan', () => {
    const ledger = new ReservationLedger(patienceMs);
    ledger.reserve('a', node, 100_000);
    ledger.prune(viewOf({ 'system-1': { readySinceMs: -Infinity } }), 119_999);
    expect(ledger.placeOf('a')).toEqual(node);
    ledger.prune(viewOf({ 'system-1': { readySinceMs: -Infinity } }), 120_000);
    expect(ledger.placeOf('a')).toBeUndefined();
  });

  test('moves with the pod when a later plan chooses another place', () => {
    const ledger = new ReservationLedger(patienceMs);
    ledger.reserve('a', claim, 0);
    ledger.reserve('a', node, 1_000);
    expect(ledger.reservedFor(claim)).toEqual([]);
    expect(ledger.reservedFor(node)).toEqual(['a']);
  });

  test('made again at the same place changes nothing, its age included', () => {
    const ledger = new ReservationLedger(patienceMs);
    ledger.reserve('a', node, 0);
    const { version } = ledger;
    ledger.reserve('a', node, 15_000);
    expect(ledger.version).toBe(version);
    ledger.prune(viewOf({ 'system-1': { readySinceMs: -Infinity } }), 20_000);
    expect(ledger.placeOf('a')).toBeUndefined();
  });
});

test('a place that nobody will ever be bound to is kept for as long as there is the place', () => {
  const ledger = new ReservationLedger(20_000);
  const place = { kind: 'claim', name: 'a' } as const;
  ledger.reserve('virtual', place, 0);
  const ready = { readySinceMs: 0 };
  const view = { isWaiting: () => true, isNeverBound: () => true };
  ledger.prune({ ...view, stateOf: () => ready }, 3_600_000);
  expect(ledger.placeOf('virtual')).toEqual(place);
  ledger.prune({ ...view, stateOf: () => 'gone' as const }, 3_600_000);
  expect(ledger.placeOf('virtual')).toBeUndefined();
});
