import {
  createAuthority,
  issueCertificate,
  type KeyAndCertificate,
} from '../../../runtime/certificates.ts';

export type { KeyAndCertificate } from '../../../runtime/certificates.ts';

export interface IssuedCertificates {
  readonly caPem: string;
  readonly server: KeyAndCertificate;
  /** An administrator's: its organization is `system:masters`. */
  readonly client: KeyAndCertificate;
}

export interface CertificateRequest {
  readonly nowMs: number;
  /** Host names and addresses that the server's certificate is good for. */
  readonly names: readonly string[];
}

const validMs = 365 * 24 * 3_600_000;

/** A new certificate authority, a server certificate and a client certificate, for a year. */
export async function issueCertificates(request: CertificateRequest): Promise<IssuedCertificates> {
  const { nowMs, names } = request;
  const authority = await createAuthority({ name: 'kubernetes', nowMs, validMs });
  const server = await issueCertificate(authority, {
    subject: 'CN=kube-apiserver',
    usage: 'server',
    names,
    nowMs,
    validMs,
  });
  const client = await issueCertificate(authority, {
    subject: 'CN=kubernetes-admin, O=system:masters',
    usage: 'client',
    nowMs,
    validMs,
  });
  return { caPem: authority.certificatePem, server, client };
}
