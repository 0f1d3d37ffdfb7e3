import {
  certificatesOf,
  createAuthority,
  isPair,
  issueCertificate,
  type KeyAndCertificate,
  readCertificate,
} from '../../runtime/certificates.ts';

/** What the webhook serves with, and whom its callers have to trust. */
export interface ServingCertificate extends KeyAndCertificate {
  /** The present authority first, then former ones that somebody may still serve under. */
  readonly caPem: string;
  readonly caKeyPem: string;
}

export interface CertificateWish {
  readonly nowMs: number;
  readonly names: readonly string[];
}

const dayMs = 24 * 3_600_000;
const authorityMs = 10 * 365 * dayMs;
const servingMs = 365 * dayMs;
/** A certificate is replaced when a third of its time is left: long before anybody notices. */
const renewShare = 1 / 3;

/**
 * A certificate that is good for a while yet: the present one, or a new one under the same
 * authority, or a new one under a new authority. The former authority stays in the bundle, so
 * that replicas which have not yet seen the new certificate are still believed.
 */
export async function renewed(
  present: ServingCertificate | undefined,
  wish: CertificateWish,
): Promise<ServingCertificate> {
  if (present !== undefined && isFresh(present, wish)) return present;
  const former = present === undefined ? [] : certificatesOf(present.caPem);
  const kept = present === undefined ? undefined : freshAuthority(present, wish.nowMs);
  const authority = kept ?? (await newAuthority(wish.nowMs));
  const others = former.filter(
    (one) => one !== authority.certificatePem && readCertificate(one).expiresAtMs > wish.nowMs,
  );
  const issued = await issueCertificate(authority, {
    subject: 'CN=karpenter-webhook',
    usage: 'server',
    validMs: servingMs,
    ...wish,
  });
  return {
    ...issued,
    caPem: [authority.certificatePem, ...others].join(''),
    caKeyPem: authority.keyPem,
  };
}

/** When to look again at the latest: the moment at which the certificate is to be replaced. */
export function renewalAtMs({ certificatePem }: ServingCertificate): number {
  return readCertificate(certificatePem).expiresAtMs - servingMs * renewShare;
}

function isFresh(present: ServingCertificate, { nowMs, names }: CertificateWish): boolean {
  const { names: good } = readCertificate(present.certificatePem);
  if (!names.every((name) => good.includes(name)) || !isPair(present)) return false;
  return renewalAtMs(present) > nowMs && freshAuthority(present, nowMs) !== undefined;
}

function freshAuthority(
  { caPem, caKeyPem }: ServingCertificate,
  nowMs: number,
): KeyAndCertificate | undefined {
  const [certificatePem] = certificatesOf(caPem);
  if (certificatePem === undefined || caKeyPem === '') return undefined;
  const authority = { certificatePem, keyPem: caKeyPem };
  const isYoung = readCertificate(certificatePem).expiresAtMs - authorityMs * renewShare > nowMs;
  return isYoung && isPair(authority) ? authority : undefined;
}

function newAuthority(nowMs: number): Promise<KeyAndCertificate> {
  return createAuthority({ name: 'karpenter-webhook-ca', nowMs, validMs: authorityMs });
}
