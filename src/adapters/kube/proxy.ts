import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type Socket } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY ask for, in either case of letters. */
export function proxyFor(server: string, env: Environment): string | undefined {
  const { hostname, protocol } = new URL(server);
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] ?? env[name.toLowerCase()];
  if (proxy === undefined || proxy === '') return undefined;
  const exceptions = (env.NO_PROXY ?? env.no_proxy ?? '').split(',');
  const host = hostname.replace(/^\[|\]$/g, '');
  if (exceptions.some((exception) => matches(host, exception.trim()))) return undefined;
  return proxy.includes('://') ? proxy : `http://${proxy}`;
}

function matches(host: string, exception: string): boolean {
  if (exception === '') return false;
  if (exception === '*' || exception === host) return true;
  const [address = '', bits] = exception.split('/');
  if (bits !== undefined) return isWithin(host, address, Number(bits));
  const suffix = exception.replace(/^\*?\.?/, '.');
  return isIP(host) === 0 && (host.endsWith(suffix) || `.${host}` === suffix);
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(host);
  if (family === 0 || family !== isIP(network) || Number.isNaN(bits)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return list.check(host, type);
}

/** A socket through the proxy to `target`, a `host:port`. Rejects if the proxy refuses. */
export function openTunnel(proxyUrl: string, target: string): Promise<Socket> {
  const proxy = new URL(proxyUrl);
  const { request } = proxy.protocol === 'https:' ? https : http;
  const headers: Record<string, string> = { host: target };
  if (proxy.username !== '') {
    const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    headers['proxy-authorization'] = `Basic ${Buffer.from(user).toString('base64')}`;
  }
  return new Promise((resolve, reject) => {
    const connect = request({
      host: proxy.hostname,
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      method: 'CONNECT',
      path: target,
      headers,
      agent: false,
    });
    connect.on('connect', (response, socket) => {
      if (response.statusCode === 200) {
        resolve(socket as Socket);
        return;
      }
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused the tunnel: ${response.statusCode}`));
    });
    connect.on('error', reject);
    connect.end();
  });
}
