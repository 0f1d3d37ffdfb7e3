import 'reflect-metadata';
import { createPrivateKey, X509Certificate as NodeCertificate, webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate with its private key, both as PEM. */
export interface KeyAndCertificate {
  readonly keyPem: string;
  readonly certificatePem: string;
}

interface Lifetime {
  /** The wall clock's time; validity begins an hour before it. */
  readonly nowMs: number;
  readonly validMs: number;
}

export interface CertificateRequest extends Lifetime {
  /** `CN=kubernetes-admin, O=system:masters`. */
  readonly subject: string;
  readonly usage: 'server' | 'client';
  /** Host names and addresses that it is good for. */
  readonly names?: readonly string[] | undefined;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
type KeyPair = webcrypto.CryptoKeyPair;

/**
 * A new certificate authority on P-256. Its key is truly random, not seeded: it guards a socket
 * and decides nothing.
 */
export async function createAuthority(
  request: Lifetime & { readonly name: string },
): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${request.name}`,
    keys,
    signingAlgorithm: algorithm,
    ...validity(request),
    extensions: [
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { keyPem: await keyPem(keys), certificatePem: pem(certificate) };
}

/** A new key with a certificate that the authority has signed. */
export async function issueCertificate(
  authority: KeyAndCertificate,
  request: CertificateRequest,
): Promise<KeyAndCertificate> {
  const keys = await generateKeys();
  const issuer = new X509Certificate(authority.certificatePem);
  const { names = [], usage } = request;
  const certificate = await X509CertificateGenerator.create({
    subject: request.subject,
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.keyPem),
    signingAlgorithm: algorithm,
    ...validity(request),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([
        usage === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth,
      ]),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new SubjectAlternativeNameExtension(names.map(generalName))] : []),
    ],
  });
  return { keyPem: await keyPem(keys), certificatePem: pem(certificate) };
}

/** When a certificate ends, and for whom it is good. Throws for what is no certificate. */
export function readCertificate(certificatePem: string): {
  readonly expiresAtMs: number;
  readonly names: readonly string[];
} {
  const certificate = new NodeCertificate(certificatePem);
  const names = (certificate.subjectAltName ?? '').split(', ').filter((name) => name !== '');
  return {
    expiresAtMs: Date.parse(certificate.validTo),
    names: names.map((name) => name.replace(/^(DNS|IP Address):/, '')),
  };
}

/** The certificates of a bundle, one by one. */
export function certificatesOf(bundle: string): readonly string[] {
  const found = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((one) => `${one}\n`);
}

/** Whether the key belongs to the certificate. */
export function isPair({ keyPem: key, certificatePem }: KeyAndCertificate): boolean {
  const certificate = new NodeCertificate(certificatePem);
  return certificate.checkPrivateKey(createPrivateKey(key));
}

const hourMs = 3_600_000;

/** An hour into the past forgives a client whose clock is behind. */
function validity({ nowMs, validMs }: Lifetime): {
  readonly notBefore: Date;
  readonly notAfter: Date;
} {
  return { notBefore: new Date(nowMs - hourMs), notAfter: new Date(nowMs + validMs) };
}

function generateKeys(): Promise<KeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function importKey(text: string): Promise<webcrypto.CryptoKey> {
  const body = text.replace(/-----[A-Z ]+-----|\s/g, '');
  const bytes = Buffer.from(body, 'base64');
  return webcrypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
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
