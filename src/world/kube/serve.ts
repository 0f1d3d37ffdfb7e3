import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { HttpHandler, HttpResponse } from '../../ports/http.ts';
import { createBridge, type SocketRequest } from '../http-bridge.ts';
import { listen, urlHost } from '../serve-http.ts';
import { issueCertificates, type KeyAndCertificate } from './serve/certificates.ts';

export interface ServeKubeOptions {
  readonly handle: HttpHandler;
  /** The wall clock's time: certificates are valid from an hour before it, for a year. */
  readonly nowMs: number;
  /** Left out, only this machine can connect. */
  readonly host?: string | undefined;
  /** Left out or zero, any free port. */
  readonly port?: number | undefined;
  /** Tokens that are as good as the kubeconfig's client certificate. */
  readonly bearerTokens?: readonly string[] | undefined;
  /** What the kubeconfig calls the cluster, its user and its context. */
  readonly clusterName?: string | undefined;
}

export interface ServedKube {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly port: number;
  readonly caPem: string;
  /** A whole kubeconfig file for an administrator, certificates included. */
  readonly kubeconfig: string;
  /** Ends watches, lets short answers finish, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Serves a Kubernetes API over TLS, HTTP/2 and HTTP/1.1, with a certificate authority made for
 * the occasion. Only holders of the kubeconfig or of a token are let in.
 */
export async function serveKube(options: ServeKubeOptions): Promise<ServedKube> {
  const { host = '127.0.0.1', port = 0, clusterName = 'karpenter-ts' } = options;
  const names = [...localNames, urlHost(host).replace(/[[\]]/g, '')];
  const issued = await issueCertificates({ nowMs: options.nowMs, names: [...new Set(names)] });
  const bridge = createBridge({
    handle: options.handle,
    admit: (request) => refusal(request, options.bearerTokens ?? []),
  });
  const server = createSecureServer(
    {
      allowHTTP1: true,
      key: issued.server.keyPem,
      cert: issued.server.certificatePem,
      ca: issued.caPem,
      requestCert: true,
      // Who has no certificate may still have a token; `refusal` decides.
      rejectUnauthorized: false,
    },
    bridge.listener,
  );
  const sayGoodbye = trackConnections(server);
  const listening = await listen(server, host, port);
  const url = `https://${urlHost(host)}:${listening}`;
  return {
    url,
    port: listening,
    caPem: issued.caPem,
    kubeconfig: kubeconfig({ url, clusterName, caPem: issued.caPem, client: issued.client }),
    close: async () => {
      await bridge.drain();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        sayGoodbye();
      });
    },
  };
}

const localNames = [
  'localhost',
  '127.0.0.1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

/** How long a client may take to read the end of its answers while the server is closing. */
const lingerMs = 1_000;

/** The returned function says goodbye on every connection once its answers have been read. */
function trackConnections(server: Http2SecureServer): () => void {
  const sockets = new Set<TLSSocket>();
  const sessions = new Set<ServerHttp2Session>();
  server.on('secureConnection', (socket: TLSSocket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  return () => {
    for (const session of sessions) {
      session.setTimeout(lingerMs, () => session.destroy());
      session.close();
    }
    for (const socket of sockets) if (socket.alpnProtocol !== 'h2') socket.destroySoon();
  };
}

const openPaths = ['/healthz', '/livez', '/readyz', '/version'];

/** The 401 for those who have neither a certificate of ours nor a token; undefined lets them in. */
function refusal(request: SocketRequest, tokens: readonly string[]): HttpResponse | undefined {
  const [path = ''] = (request.url ?? '').split('?');
  if (openPaths.some((open) => path === open || path.startsWith(`${open}/`))) return undefined;
  if (tlsSocket(request).authorized) return undefined;
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme === 'Bearer' && token !== undefined && tokens.includes(token)) return undefined;
  return { status: 401, headers: { 'content-type': 'application/json' }, body: unauthorized };
}

function tlsSocket(request: SocketRequest): TLSSocket {
  const session = 'stream' in request ? request.stream.session : undefined;
  return (session?.socket ?? request.socket) as TLSSocket;
}

const unauthorized = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
});

function kubeconfig(access: {
  readonly url: string;
  readonly clusterName: string;
  readonly caPem: string;
  readonly client: KeyAndCertificate;
}): string {
  const { url, clusterName: name, caPem, client } = access;
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster:
    server: ${url}
    certificate-authority-data: ${base64(caPem)}
users:
- name: ${name}
  user:
    client-certificate-data: ${base64(client.certificatePem)}
    client-key-data: ${base64(client.keyPem)}
contexts:
- name: ${name}
  context:
    cluster: ${name}
    user: ${name}
current-context: ${name}
`;
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
