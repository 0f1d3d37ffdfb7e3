import { request } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { createSystemClock } from '../../adapters/system/system-clock.ts';
import { createAuthority, issueCertificate } from '../../runtime/certificates.ts';
import type { RunningServer } from '../serve.ts';
import { type Certificate, serveConversion } from './serve-conversion.ts';

const nowMs = createSystemClock().nowMs();
const validMs = 3_600_000;
let running: RunningServer | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

interface Trusted extends Certificate {
  readonly ca: string;
}

async function aCertificate(): Promise<Trusted> {
  const authority = await createAuthority({ name: 'test', nowMs, validMs });
  const issued = await issueCertificate(authority, {
    subject: 'CN=webhook',
    usage: 'server',
    names: ['127.0.0.1'],
    nowMs,
    validMs,
  });
  return { ...issued, ca: authority.certificatePem };
}

async function start(first: Certificate | undefined) {
  let use: (certificate: Certificate) => void = () => {};
  running = await serveConversion(
    {
      certificate: {
        current: () => first,
        onChange: (listener) => {
          use = listener;
        },
      },
      expireAfterOf: async (name) => (name === 'web' ? '48h' : undefined),
    },
    { host: '127.0.0.1', port: 0 },
  );
  return { port: running.port, use: (certificate: Certificate) => use(certificate) };
}

function post(
  port: number,
  ca: string,
  sent: { readonly path?: string; readonly method?: string; readonly body?: string } = {},
): Promise<{ readonly status: number; readonly body: string }> {
  const { path = '/conversion', method = 'POST', body = '' } = sent;
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, ca, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}

function reviewOf(...objects: readonly object[]): string {
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid: 'question-1', desiredAPIVersion: 'karpenter.sh/v1', objects },
  });
}

const claim = {
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodeClaim',
  metadata: { name: 'web-1', labels: { 'karpenter.sh/nodepool': 'web' } },
  spec: { requirements: [], nodeClassRef: { name: 'web' } },
};

describe('the webhook', () => {
  test('converts what it is sent, with the expiry that the pool has', async () => {
    const certificate = await aCertificate();
    const { port } = await start(certificate);
    const { status, body } = await post(port, certificate.ca, { body: reviewOf(claim) });
    expect(status).toBe(200);
    expect(JSON.parse(body).response).toMatchObject({
      uid: 'question-1',
      result: { status: 'Success' },
      convertedObjects: [{ apiVersion: 'karpenter.sh/v1', spec: { expireAfter: '48h' } }],
    });
  });

  test('says why something cannot be converted', async () => {
    const certificate = await aCertificate();
    const { port } = await start(certificate);
    const odd = { ...claim, kind: 'Gadget' };
    const { body } = await post(port, certificate.ca, { body: reviewOf(claim, odd) });
    expect(JSON.parse(body).response).toMatchObject({
      result: {
        status: 'Failure',
        message: 'there is no conversion of karpenter.sh/v1beta1 Gadget to karpenter.sh/v1',
      },
    });
  });

  test.each([
    { name: 'another path', sent: { path: '/' }, status: 404 },
    { name: 'another method', sent: { method: 'GET' }, status: 405 },
    { name: 'no JSON', sent: { body: '{' }, status: 400 },
    { name: 'no review', sent: { body: '{"kind":"Pod"}' }, status: 400 },
    { name: 'null', sent: { body: 'null' }, status: 400 },
  ])('refuses $name', async ({ sent, status }) => {
    const certificate = await aCertificate();
    const { port } = await start(certificate);
    expect((await post(port, certificate.ca, sent)).status).toBe(status);
  });

  test('cannot be reached before it has a certificate, and changes it while it runs', async () => {
    const [first, second] = await Promise.all([aCertificate(), aCertificate()]);
    const { port, use } = await start(undefined);
    await expect(post(port, first.ca)).rejects.toThrow();
    use(first);
    expect((await post(port, first.ca, { body: reviewOf(claim) })).status).toBe(200);
    use(second);
    await expect(post(port, first.ca)).rejects.toThrow();
    expect((await post(port, second.ca, { body: reviewOf(claim) })).status).toBe(200);
  });
});
