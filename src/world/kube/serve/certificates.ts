import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface KeyAndCertificate {
  readonly keyPem: string;
  readonly certificatePem: string;
}

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

type KeyPair = webcrypto.CryptoKeyPair;

/**
 * A new certificate authority, a server certificate and a client certificate, all on P-256.
 * Their keys are truly random, not seeded: they guard a socket and decide nothing.
 */
export async function issueCertificates(request: CertificateRequest): Promise<IssuedCertificates> {
  const authority = await createAuthority(request.nowMs);
  const server = await issue(authority, request.nowMs, {
    subject: 'CN=kube-apiserver',
    usage: ExtendedKeyUsage.serverAuth,
    extensions: [new SubjectAlternativeNameExtension(request.names.map(generalName))],
  });
  const client = await issue(authority, request.nowMs, {
    subject: 'CN=kubernetes-admin, O=system:masters',
    usage: ExtendedKeyUsage.clientAuth,
    extensions: [],
  });
  return { caPem: pem(authority.certificate), server, client };
}

interface Authority {
  readonly keys: KeyPair;
  readonly certificate: X509Certificate;
}

interface Subject {
  readonly subject: string;
  readonly usage: ExtendedKeyUsage;
  readonly extensions: readonly Extension[];
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

async function createAuthority(nowMs: number): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=kubernetes',
    keys,
    signingAlgorithm: algorithm,
    ...validity(nowMs),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { keys, certificate };
}

async function issue(
  authority: Authority,
  nowMs: number,
  subject: Subject,
): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.create({
    subject: subject.subject,
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: algorithm,
    ...validity(nowMs),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([subject.usage]),
      await AuthorityKeyIdentifierExtension.create(authority.keys.publicKey),
      ...subject.extensions,
    ],
  });
  return { keyPem: await keyPem(keys), certificatePem: pem(certificate) };
}

const hourMs = 3_600_000;

/** An hour into the past forgives a client whose clock is behind. */
function validity(nowMs: number): { readonly notBefore: Date; readonly notAfter: Date } {
  return {
    notBefore: new Date(nowMs - hourMs),
    notAfter: new Date(nowMs + 365 * 24 * hourMs),
  };
}

function generateKeys(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function generalName(name: string): { type: 'ip' | 'dns'; value: string } {
  const isAddress = /^\d+(\.\d+){3}$/.test(name) || name.includes(':');
  return { type: isAddress ? 'ip' : 'dns', value: name };
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

async function keyPem(keys: KeyPair): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
