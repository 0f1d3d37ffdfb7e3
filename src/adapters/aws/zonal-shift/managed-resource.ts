import type { EKSClient } from '@aws-sdk/client-eks';
import { signedHeaders } from './signature.ts';
import type { ZonalShift } from './zonal-shifts.ts';

/**
 * Asks the zonal shift API of ARC which zones the resource is shifted away from. One question does
 * not need a client of its own: it uses the credentials, sockets and endpoint of the EKS client.
 * Rejects with what an SDK client would reject with.
 */
export async function readZonalShifts(
  { config }: EKSClient,
  question: { readonly arn: string; readonly nowMs: number },
  abortSignal: AbortSignal,
): Promise<readonly ZonalShift[]> {
  const region = await config.region();
  const address = await addressOf(config, region);
  const path = `/managedresources/${encodeURIComponent(question.arn)}`;
  const headers = signedHeaders({
    ...{ host: hostOf(address), path, region, service: 'arc-zonal-shift' },
    credentials: await config.credentials(),
    nowMs: question.nowMs,
  });
  const request = { method: 'GET', ...address, path, query: {}, headers, body: undefined };
  const { response } = await config.requestHandler.handle(
    request as unknown as Parameters<typeof config.requestHandler.handle>[0],
    { abortSignal },
  );
  const bytes =
    response.body instanceof Uint8Array
      ? response.body
      : await config.streamCollector(response.body);
  const text = new TextDecoder().decode(bytes);
  if (response.statusCode !== 200) throw refusal(response.statusCode, text);
  return shiftsIn(JSON.parse(text));
}

interface Address {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
}

async function addressOf(config: EKSClient['config'], region: string): Promise<Address> {
  const named = process.env.AWS_ENDPOINT_URL_ARC_ZONAL_SHIFT ?? process.env.AWS_ENDPOINT_URL;
  const given = await config.endpoint?.();
  if (given !== undefined)
    return {
      protocol: given.protocol,
      hostname: given.hostname,
      ...(given.port === undefined ? {} : { port: given.port }),
    };
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const url = new URL(named || `https://arc-zonal-shift.${region}.${domain}`);
  return {
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port === '' ? {} : { port: Number(url.port) }),
  };
}

function hostOf({ hostname, port }: Address): string {
  return port === undefined ? hostname : `${hostname}:${port}`;
}

/** In the shape of the SDK's errors, so that one table classifies both. */
function refusal(httpStatusCode: number, text: string): Error {
  const { message, __type: type } = /^\s*\{/.test(text) ? JSON.parse(text) : { message: text };
  return Object.assign(new Error(String(message ?? text)), {
    name: String(type ?? 'UnknownError').replace(/^.*#/, ''),
    $fault: httpStatusCode < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode },
  });
}

interface WireShift {
  readonly awayFrom?: string;
  /** Seconds since 1970. */
  readonly expiryTime?: number;
  readonly appliedStatus?: string;
}

/** Shifts that people have started; those that AWS starts by itself have no end and are not told here. */
function shiftsIn(answer: { readonly zonalShifts?: readonly WireShift[] }): readonly ZonalShift[] {
  return (answer.zonalShifts ?? []).map((shift) => ({
    zoneId: shift.awayFrom ?? '',
    expiresAtMs: (shift.expiryTime ?? 0) * 1_000,
    isApplied: shift.appliedStatus === 'APPLIED',
  }));
}
