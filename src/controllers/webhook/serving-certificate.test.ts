import { expect, test } from 'vitest';
import { certificatesOf, isPair, readCertificate } from '../../runtime/certificates.ts';
import { renewalAtMs, renewed } from './serving-certificate.ts';

const startMs = Date.parse('2026-11-16T00:00:00Z');
const yearMs = 365 * 24 * 3_600_000;
const names = ['karpenter.kube-system.svc'];

test('a first certificate is good for a year and for the names of the service', async () => {
  const made = await renewed(undefined, { nowMs: startMs, names });
  expect(readCertificate(made.certificatePem)).toEqual({ expiresAtMs: startMs + yearMs, names });
  expect(isPair(made)).toBe(true);
  expect(await renewed(made, { nowMs: startMs + yearMs / 2, names })).toBe(made);
});

test('it is replaced under the same authority when a third of its time is left', async () => {
  const made = await renewed(undefined, { nowMs: startMs, names });
  const later = await renewed(made, { nowMs: renewalAtMs(made), names });
  expect(later.certificatePem).not.toBe(made.certificatePem);
  expect(later.caPem).toBe(made.caPem);
});

test('another name of the service needs another certificate', async () => {
  const made = await renewed(undefined, { nowMs: startMs, names });
  const other = await renewed(made, { nowMs: startMs, names: ['other.karpenter.svc'] });
  expect(readCertificate(other.certificatePem).names).toEqual(['other.karpenter.svc']);
});

test('a new authority stands before the former one, which is still believed', async () => {
  const made = await renewed(undefined, { nowMs: startMs, names });
  const later = await renewed(made, { nowMs: startMs + 8 * yearMs, names });
  const [first, second, ...more] = certificatesOf(later.caPem);
  expect(first).not.toBe(made.caPem);
  expect([second, more]).toEqual([made.caPem, []]);
  const last = await renewed(later, { nowMs: startMs + 15 * yearMs, names });
  // By then the first authority has ended and nobody may serve under it any more.
  expect(certificatesOf(last.caPem)).toHaveLength(2);
});

test('a key that does not belong to its certificate is replaced', async () => {
  const one = await renewed(undefined, { nowMs: startMs, names });
  const two = await renewed(undefined, { nowMs: startMs, names });
  const mixed = { ...one, keyPem: two.keyPem };
  expect(isPair(await renewed(mixed, { nowMs: startMs, names }))).toBe(true);
});
