import { readFile } from 'node:fs/promises';
import type { Clock } from '../../ports/clock.ts';
import type { Credentials } from './connection.ts';
import { type ExecCredential, runPlugin } from './exec-plugin.ts';

/** What one request is sent with. */
export interface RequestCredentials {
  readonly authorization?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
}

/** Hands out credentials that are valid now. */
interface CredentialSource {
  get(): Promise<RequestCredentials>;
  /** The server did not accept them. Answers whether there is hope for others next time. */
  invalidate(): boolean;
}

/** A projected token lives for an hour or more and is replaced well before; a minute is fresh. */
const tokenFileFreshMs = 60_000;
/** Plugins' credentials are replaced this long before they expire, lest they expire on the way. */
const expiryMarginMs = 30_000;

export function createCredentialSource(credentials: Credentials, clock: Clock): CredentialSource {
  const { exec, tokenFile } = credentials;
  if (exec !== undefined) {
    return cached(credentials, clock, async () => fromPlugin(await runPlugin(exec)));
  }
  if (tokenFile !== undefined) {
    return cached(credentials, clock, async () => ({
      authorization: `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`,
      validUntilMs: clock.nowMs() + tokenFileFreshMs,
    }));
  }
  const fixed = { ...certificateOf(credentials), ...headerOf(credentials) };
  return { get: async () => fixed, invalidate: () => false };
}

interface Obtained extends RequestCredentials {
  readonly validUntilMs: number;
}

function cached(
  credentials: Credentials,
  clock: Clock,
  obtain: () => Promise<Obtained>,
): CredentialSource {
  let current: Promise<Obtained> | undefined;
  let validUntilMs = 0;
  const refresh = async (): Promise<Obtained> => {
    const obtained = { ...certificateOf(credentials), ...(await obtain()) };
    validUntilMs = obtained.validUntilMs;
    return obtained;
  };
  return {
    get: () => {
      if (current !== undefined && clock.nowMs() < validUntilMs) return current;
      // Everybody who asks meanwhile waits for the same answer; a failure is not kept.
      validUntilMs = Number.POSITIVE_INFINITY;
      const asked = refresh();
      asked.catch(() => {
        if (current === asked) current = undefined;
      });
      current = asked;
      return asked;
    },
    invalidate: () => {
      current = undefined;
      return true;
    },
  };
}

function fromPlugin(credential: ExecCredential): Obtained {
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = credential;
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(clientCertificateData === undefined ? {} : { clientCertificate: clientCertificateData }),
    ...(clientKeyData === undefined ? {} : { clientKey: clientKeyData }),
    validUntilMs:
      expirationTimestamp === undefined
        ? Number.POSITIVE_INFINITY
        : Date.parse(expirationTimestamp) - expiryMarginMs,
  };
}

function certificateOf(credentials: Credentials): RequestCredentials {
  const { clientCertificate, clientKey } = credentials;
  return clientCertificate === undefined ? {} : { clientCertificate, clientKey };
}

function headerOf(credentials: Credentials): RequestCredentials {
  const { token, basic } = credentials;
  if (token !== undefined && token !== '') return { authorization: `Bearer ${token}` };
  if (basic === undefined) return {};
  const text = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return { authorization: `Basic ${text}` };
}
