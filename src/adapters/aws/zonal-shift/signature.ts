import { createHash, createHmac } from 'node:crypto';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

const emptyBody = sha256('');

/**
 * The headers of a signed GET without query or body (AWS Signature Version 4). For the one service
 * that no installed client speaks; a client's own signer remembers the service it first signed for.
 */
export function signedHeaders(request: {
  readonly host: string;
  /** With its segments encoded once. */
  readonly path: string;
  readonly region: string;
  readonly service: string;
  readonly credentials: Credentials;
  readonly nowMs: number;
}): Readonly<Record<string, string>> {
  const { credentials, region, service } = request;
  const moment = new Date(request.nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = moment.slice(0, 8);
  const token = credentials.sessionToken;
  const headers: Readonly<Record<string, string>> = {
    host: request.host,
    'x-amz-content-sha256': emptyBody,
    'x-amz-date': moment,
    ...(token === undefined ? {} : { 'x-amz-security-token': token }),
  };
  const names = Object.keys(headers).join(';');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical(request.path, headers))];
  const key = [region, service, 'aws4_request'].reduce(
    hmac,
    hmac(`AWS4${credentials.secretAccessKey}`, day),
  );
  const signature = hmac(key, toSign.join('\n')).toString('hex');
  const credential = `${credentials.accessKeyId}/${scope}`;
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function canonical(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  const encodedAgain = path.split('/').map(encodeURIComponent).join('/');
  return ['GET', encodedAgain, '', ...lines, '', Object.keys(headers).join(';'), emptyBody].join(
    '\n',
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
