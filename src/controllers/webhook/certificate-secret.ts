import { createPrivateKey } from 'node:crypto';
import type { KubeObject, Resource } from '../../api/resource.ts';
import { certificatesOf, readCertificate } from '../../runtime/certificates.ts';
import type { ServingCertificate } from './serving-certificate.ts';

export interface SecretObject extends KubeObject {
  readonly type?: string;
  /** Base64 by key. */
  readonly data?: Readonly<Record<string, string>>;
}

export const secrets: Resource<SecretObject> = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  isNamespaced: true,
};

/** The certificate that a Secret holds; undefined when it holds none that can be read. */
export function certificateIn(secret: SecretObject | undefined): ServingCertificate | undefined {
  const text = (key: string): string =>
    Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
  const found: ServingCertificate = {
    certificatePem: text('tls.crt'),
    keyPem: text('tls.key'),
    caPem: text('ca.crt'),
    caKeyPem: text('ca.key'),
  };
  return isReadable(found) ? found : undefined;
}

export function secretData(certificate: ServingCertificate): Readonly<Record<string, string>> {
  const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
  return {
    'tls.crt': base64(certificate.certificatePem),
    'tls.key': base64(certificate.keyPem),
    'ca.crt': base64(certificate.caPem),
    'ca.key': base64(certificate.caKeyPem),
  };
}

/** Somebody may have written anything into the Secret; what cannot be read is made anew. */
function isReadable({ certificatePem, keyPem, caPem, caKeyPem }: ServingCertificate): boolean {
  if ([certificatePem, keyPem, caPem, caKeyPem].includes('')) return false;
  try {
    for (const one of [certificatePem, ...certificatesOf(caPem)]) readCertificate(one);
    return [keyPem, caKeyPem].every((key) => createPrivateKey(key).type === 'private');
  } catch (error) {
    // Node says what is wrong in codes of OpenSSL; whatever it is, the text is no certificate.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}
