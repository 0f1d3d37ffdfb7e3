import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { poolsAskedFor } from '../../api/conversion/convert.ts';
import { answerReview, type ConversionQuestion, readReview } from '../../api/conversion/review.ts';
import { conversionPath } from '../../api/v1beta1/definitions.ts';
import { listen, type RunningServer } from '../serve.ts';

/** What is served with; it may change while the server runs. */
export interface CertificateSource {
  current(): Certificate | undefined;
  onChange(listener: (certificate: Certificate) => void): void;
}

export interface Certificate {
  readonly keyPem: string;
  readonly certificatePem: string;
}

export interface ConversionSources {
  readonly certificate: CertificateSource;
  /** The `expireAfter` of a NodePool; undefined when there is no such pool. */
  readonly expireAfterOf: (poolName: string) => Promise<string | undefined>;
}

/**
 * Converts objects between versions for the API server, over HTTPS. Until there is a certificate
 * handshakes fail, which the API server takes for a webhook that is not there yet.
 */
export async function serveConversion(
  sources: ConversionSources,
  options: { readonly host: string; readonly port: number },
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    void answer(sources, request).then((said) => send(response, said));
  });
  const use = ({ keyPem: key, certificatePem: cert }: Certificate): void =>
    server.setSecureContext({ key, cert });
  const present = sources.certificate.current();
  if (present !== undefined) use(present);
  sources.certificate.onChange(use);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://${options.host}:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Every failure is an answer: the API server shows its text to whoever asked. */
async function answer(sources: ConversionSources, request: IncomingMessage): Promise<Answer> {
  const [path] = (request.url ?? '').split('?');
  if (path !== conversionPath) return { status: 404, body: 'there is nothing here\n' };
  if (request.method !== 'POST') return { status: 405, body: 'post a ConversionReview\n' };
  try {
    const question = readReview(JSON.parse(await bodyOf(request)));
    if (question === undefined) return { status: 400, body: 'this is no ConversionReview\n' };
    return { status: 200, body: JSON.stringify(await answered(sources, question)) };
  } catch (error) {
    const status = error instanceof SyntaxError || error instanceof TooLarge ? 400 : 500;
    return { status, body: `${error instanceof Error ? error.message : String(error)}\n` };
  }
}

async function answered(sources: ConversionSources, question: ConversionQuestion): Promise<object> {
  const found = new Map<string, string | undefined>();
  for (const name of poolsAskedFor(question.objects)) {
    found.set(name, await sources.expireAfterOf(name));
  }
  return answerReview(question, { expireAfterOf: (name) => found.get(name) });
}

/** A list of everything in a large cluster comes in one review. */
const largestBytes = 256 * 1024 * 1024;

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > largestBytes) throw new TooLarge('the review is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function send(response: ServerResponse, { status, body }: Answer): void {
  const type = status === 200 ? 'application/json' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}
