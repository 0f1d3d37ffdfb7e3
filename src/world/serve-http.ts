import { createServer, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { HttpHandler } from '../ports/http.ts';
import { createBridge } from './http-bridge.ts';

export interface ServeHttpOptions {
  readonly handle: HttpHandler;
  /** Left out, only this machine can connect. */
  readonly host?: string | undefined;
  /** Left out or zero, any free port. */
  readonly port?: number | undefined;
}

export interface ServedHttp {
  /** `http://127.0.0.1:4566`. */
  readonly url: string;
  readonly port: number;
  /** Ends streams, lets short answers finish, then closes every connection. */
  close(): Promise<void>;
}

/** Serves a handler over plain HTTP. Rejects when the port cannot be had. */
export async function serveHttp(options: ServeHttpOptions): Promise<ServedHttp> {
  const bridge = createBridge({ handle: options.handle });
  const server: Server = createServer({ keepAliveTimeout: idleConnectionMs }, bridge.listener);
  const { host = '127.0.0.1', port = 0 } = options;
  const listening = await listen(server, host, port);
  return {
    url: `http://${urlHost(host)}:${listening}`,
    port: listening,
    close: async () => {
      await bridge.drain();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Longer than clients keep idle connections, so that they and not we close them: no lost races. */
const idleConnectionMs = 120_000;

/** Resolves with the port once connections are accepted. */
export function listen(server: NetServer, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** How a client on this machine writes the address that the server listens on. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
