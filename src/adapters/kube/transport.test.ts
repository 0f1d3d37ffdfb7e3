import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { readBody } from '../../ports/http.ts';
import { issueCertificates } from '../../world/kube/serve/certificates.ts';
import { createSystemClock } from '../system/system-clock.ts';
import type { KubeConnection } from './connection.ts';
import { createTransport, type Transport } from './transport.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Serves on a free port of this machine until the test ends, counting connections. */
async function serve(server: http.Server | https.Server | net.Server) {
  const opened: net.Socket[] = [];
  server.on('connection', (socket: net.Socket) => opened.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of opened) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, opened };
}

function transportTo(
  connection: Pick<KubeConnection, 'server'> & Partial<KubeConnection>,
): Transport {
  const transport = createTransport(
    { name: 'test', namespace: 'default', credentials: {}, ...connection },
    createSystemClock(),
  );
  cleanups.push(() => transport.close());
  return transport;
}

async function plain(listener: Listener) {
  const { port, opened } = await serve(http.createServer(listener));
  return { server: `http://127.0.0.1:${port}`, port, opened };
}

/** An HTTPS server with a certificate for the name `api.test` and an authority of its own. */
async function secure(listener: Listener) {
  const nowMs = createSystemClock().nowMs();
  const issued = await issueCertificates({ nowMs, names: ['api.test', '127.0.0.1'] });
  const { keyPem: key, certificatePem: cert } = issued.server;
  const options = { key, cert, ca: issued.caPem, requestCert: true, rejectUnauthorized: false };
  const { port, opened } = await serve(https.createServer(options, listener));
  return { port, opened, issued, server: `https://127.0.0.1:${port}` };
}

const get = { method: 'GET', path: '/version', headers: {} };
const watch = { method: 'GET', path: '/api/v1/pods?watch=true', headers: {} };

describe('over HTTP', () => {
  test('many calls share one connection; method, path, headers and body arrive', async () => {
    const seen: unknown[] = [];
    const { server, opened } = await plain((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers['x-name'], body]);
        response.setHeader('x-answer', 'yes');
        response.writeHead(201).end('größer');
      });
    });
    const send = transportTo({ server: `${server}/prefix/` });
    for (const method of ['POST', 'DELETE', 'PATCH']) {
      const headers = { 'x-name': 'value' };
      const response = await send({ method, path: '/a?b=c', headers, body: '{"ü":1}' });
      expect(response.status).toBe(201);
      expect(response.headers['x-answer']).toBe('yes');
      expect(await readBody(response)).toBe('größer');
    }
    const arrived = ['/prefix/a?b=c', 'value', '{"ü":1}'];
    expect(seen).toEqual(['POST', 'DELETE', 'PATCH'].map((method) => [method, ...arrived]));
    expect(opened).toHaveLength(1);
  });

  test('a watch is answered in pieces on a connection of its own, and aborting closes it', async () => {
    let push = (_: string | Buffer): void => {};
    const { server, opened } = await plain((request, response) => {
      if (request.url === get.path) {
        response.end('{}');
        return;
      }
      response.writeHead(200).flushHeaders();
      push = (piece) => response.write(piece);
    });
    const send = transportTo({ server });
    const stop = new AbortController();
    const response = await send({ ...watch, signal: stop.signal });
    const pieces = (response.body as AsyncIterable<string>)[Symbol.asyncIterator]();
    await send(get);
    expect(opened).toHaveLength(2);
    push('one');
    expect((await pieces.next()).value).toBe('one');
    // Half a character at the end of a piece waits for its other half.
    push(Buffer.from([0xc3]));
    push(Buffer.from([0xbc]));
    expect((await pieces.next()).value).toBe('ü');
    stop.abort();
    await expect(pieces.next()).rejects.toThrow();
  });

  test('a connection that breaks in the middle of a watch throws to its reader', async () => {
    const { server, opened } = await plain((_, response) => {
      response.writeHead(200).write('one');
    });
    const response = await transportTo({ server })(watch);
    const reading = (async () => {
      for await (const piece of response.body) {
        expect(piece).toBe('one');
        for (const socket of opened) socket.destroy();
      }
    })();
    await expect(reading).rejects.toThrow('aborted');
  });

  test('nobody listening is refused with the code of the system', async () => {
    const { port } = await plain(() => {});
    for (const cleanup of cleanups.splice(0)) await cleanup();
    const send = transportTo({ server: `http://127.0.0.1:${port}` });
    await expect(send(get)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('closing ends open watches', async () => {
    const { server } = await plain((_, response) => {
      response.writeHead(200).flushHeaders();
    });
    const send = transportTo({ server });
    const response = await send(watch);
    const reading = readBody(response);
    send.close();
    await expect(reading).rejects.toThrow();
  });
});

describe('credentials on the wire', () => {
  test('a token goes into the header', async () => {
    const { server } = await plain((request, response) => {
      response.end(request.headers.authorization);
    });
    const send = transportTo({ server, credentials: { token: 'secret' } });
    expect(await readBody(await send(get))).toBe('Bearer secret');
  });

  test('refused credentials of a plugin are obtained anew, once', async () => {
    const seen: (string | undefined)[] = [];
    const { server } = await plain((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    const program = 'JSON.stringify({status: {token: "pid-" + process.pid}})';
    const apiVersion = 'client.authentication.k8s.io/v1';
    const exec = { apiVersion, command: process.execPath, args: ['-p', program], env: process.env };
    const send = transportTo({ server, credentials: { exec } });
    expect((await send(get)).status).toBe(401);
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(2);
  });

  test('a client certificate is shown in the handshake', async () => {
    const { server, issued } = await secure((request, response) => {
      const { authorized } = request.socket as unknown as { authorized: boolean };
      response.end(String(authorized));
    });
    const certificateAuthority = issued.caPem;
    const { keyPem: clientKey, certificatePem: clientCertificate } = issued.client;
    const known = transportTo({
      server,
      certificateAuthority,
      credentials: { clientCertificate, clientKey },
    });
    const unknown = transportTo({ server, certificateAuthority });
    expect(await readBody(await known(get))).toBe('true');
    expect(await readBody(await unknown(get))).toBe('false');
  });
});

describe('over TLS', () => {
  test('a server of another authority is refused, unless told not to look', async () => {
    const { server } = await secure((_, response) => response.end('ok'));
    await expect(transportTo({ server })(get)).rejects.toThrow(/certificate/);
    const careless = transportTo({ server, isTlsVerificationOff: true });
    expect(await readBody(await careless(get))).toBe('ok');
  });

  test('the name in the certificate can be given apart from the address', async () => {
    const { server, issued } = await secure((_, response) => response.end('ok'));
    const certificateAuthority = issued.caPem;
    const right = transportTo({ server, certificateAuthority, tlsServerName: 'api.test' });
    expect(await readBody(await right(get))).toBe('ok');
    const wrong = transportTo({ server, certificateAuthority, tlsServerName: 'other.test' });
    await expect(wrong(get)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  test('a proxy is asked for a tunnel, with its own credentials', async () => {
    const { server, port, issued } = await secure((_, response) => response.end('ok'));
    const asked: unknown[] = [];
    const proxy = http.createServer();
    proxy.on('connect', (request, socket: net.Socket) => {
      asked.push([request.url, request.headers['proxy-authorization']]);
      const onward = net.connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
    });
    const { port: proxyPort } = await serve(proxy);
    const send = transportTo({
      server,
      certificateAuthority: issued.caPem,
      proxyUrl: `http://me:secret@127.0.0.1:${proxyPort}`,
    });
    expect(await readBody(await send(get))).toBe('ok');
    expect(await readBody(await send(get))).toBe('ok');
    expect(asked).toEqual([[`127.0.0.1:${port}`, 'Basic bWU6c2VjcmV0']]);
  });

  test('a proxy that refuses is named', async () => {
    const proxy = http.createServer();
    proxy.on('connect', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    const { port } = await serve(proxy);
    const send = transportTo({ server: 'https://nowhere', proxyUrl: `http://127.0.0.1:${port}` });
    await expect(send(get)).rejects.toThrow(`the proxy 127.0.0.1:${port} refused the tunnel: 403`);
  });
});
