import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadInCluster } from './in-cluster.ts';
import { loadKubeconfig } from './kubeconfig.ts';
import { proxyFor } from './proxy.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const complete = `
apiVersion: v1
kind: Config
current-context: home
contexts:
- name: home
  context: { cluster: house, user: me, namespace: garden }
- name: away
  context: { cluster: inn, user: guest }
clusters:
- name: house
  cluster:
    server: https://house:6443
    certificate-authority-data: ${base64('the authority')}
    tls-server-name: door
    proxy-url: http://proxy:3128
- name: inn
  cluster: { server: "https://inn:443", insecure-skip-tls-verify: true, certificate-authority: ca.crt }
users:
- name: me
  user: { client-certificate-data: ${base64('my certificate')}, client-key-data: ${base64('my key')} }
- name: guest
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: ./bin/token
      args: [get, me]
      env: [{ name: REGION, value: north }]
      installHint: ask the keeper
`;

describe('a kubeconfig', () => {
  test('gives the current context with its cluster and user', () => {
    const connection = loadKubeconfig({ path: file('config', complete), env: {} });
    expect(connection).toMatchObject({
      name: 'home',
      server: 'https://house:6443',
      namespace: 'garden',
      certificateAuthority: 'the authority',
      tlsServerName: 'door',
      proxyUrl: 'http://proxy:3128',
      credentials: { clientCertificate: 'my certificate', clientKey: 'my key' },
    });
  });

  test('another context can be named; paths are relative to the file', () => {
    file('ca.crt', 'the authority of the inn');
    const path = file('config', complete);
    const connection = loadKubeconfig({ path, context: 'away', env: { HOME: '/home/me' } });
    expect(connection).toMatchObject({
      namespace: 'default',
      isTlsVerificationOff: true,
      certificateAuthority: 'the authority of the inn',
      credentials: {
        exec: {
          command: join(folder, 'bin/token'),
          args: ['get', 'me'],
          env: { HOME: '/home/me', REGION: 'north' },
          installHint: 'ask the keeper',
        },
      },
    });
  });

  test('of several files in KUBECONFIG the first counts, and missing ones are skipped', () => {
    const first = file(
      'first',
      'current-context: away\nclusters: [{name: inn, cluster: {server: "https://other"}}]',
    );
    const second = file('second', complete);
    const KUBECONFIG = [join(folder, 'missing'), first, second].join(':');
    const connection = loadKubeconfig({ env: { KUBECONFIG } });
    expect(connection).toMatchObject({ name: 'away', server: 'https://other' });
  });

  test('without KUBECONFIG the file in the home folder is taken', () => {
    mkdirSync(join(folder, '.kube'));
    file('.kube/config', complete);
    expect(loadKubeconfig({ env: { HOME: folder } }).name).toBe('home');
  });

  test.each([
    {
      name: 'a context that is not there',
      text: complete,
      context: 'moon',
      says: /no context "moon" in .*; there are: home, away/,
    },
    {
      name: 'no current context',
      text: 'contexts: [{name: a, context: {}}]',
      says: /no current context; name one of: a/,
    },
    {
      name: 'a cluster that is not there',
      text: 'current-context: a\ncontexts: [{name: a, context: {cluster: b}}]',
      says: /no cluster "b"/,
    },
    { name: 'a file that is no YAML', text: 'a: [', says: /reading kubeconfig .*config/ },
    {
      name: 'an authority file that is missing',
      text: complete,
      context: 'away',
      says: /reading the certificate-authority at .*ca.crt/,
    },
    {
      name: 'a removed auth-provider',
      text: 'current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nclusters: [{name: b, cluster: {server: "https://b"}}]\nusers: [{name: c, user: {auth-provider: {name: gcp}}}]',
      says: /auth-provider "gcp".*exec plugin/,
    },
  ])('$name is refused with what to do', ({ text, context, says }) => {
    const path = file('config', text);
    expect(() => loadKubeconfig({ path, context, env: {} })).toThrow(says);
  });

  test('no file anywhere and no pod around us is refused with what to do', () => {
    expect(() => loadKubeconfig({ env: { HOME: folder } })).toThrow(/set KUBECONFIG/);
    expect(() => loadKubeconfig({ env: { KUBECONFIG: '/nowhere' } })).toThrow(/names \/nowhere/);
  });
});

describe('inside a cluster', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };

  test('the service account is used, its token by file', () => {
    file('token', 'secret');
    file('namespace', 'karpenter\n');
    file('ca.crt', 'the authority');
    expect(loadInCluster(env, folder)).toEqual({
      name: 'in-cluster',
      server: 'https://[fd00::1]:443',
      namespace: 'karpenter',
      certificateAuthority: 'the authority',
      credentials: { tokenFile: join(folder, 'token') },
    });
  });

  test('a pod without a token is told how to get one', () => {
    expect(() => loadInCluster(env, folder)).toThrow(/automountServiceAccountToken/);
  });
});

describe('the proxy of the environment', () => {
  test.each([
    { name: 'none is set', server: 'https://a', env: {}, proxy: undefined },
    {
      name: 'one is set',
      server: 'https://a',
      env: { HTTPS_PROXY: 'http://p:1' },
      proxy: 'http://p:1',
    },
    {
      name: 'small letters',
      server: 'https://a',
      env: { https_proxy: 'p:1' },
      proxy: 'http://p:1',
    },
    {
      name: 'the host is excepted',
      server: 'https://a.b',
      env: { HTTPS_PROXY: 'http://p', NO_PROXY: 'x, a.b' },
      proxy: undefined,
    },
    {
      name: 'its domain is excepted',
      server: 'https://a.b',
      env: { HTTPS_PROXY: 'http://p', NO_PROXY: '.b' },
      proxy: undefined,
    },
    {
      name: 'its network is excepted',
      server: 'https://10.1.2.3:443',
      env: { HTTPS_PROXY: 'http://p', NO_PROXY: '10.0.0.0/8' },
      proxy: undefined,
    },
    {
      name: 'another network is excepted',
      server: 'https://11.1.2.3',
      env: { HTTPS_PROXY: 'http://p', NO_PROXY: '10.0.0.0/8' },
      proxy: 'http://p',
    },
    {
      name: 'only plain HTTP has a proxy',
      server: 'https://a',
      env: { HTTP_PROXY: 'http://p' },
      proxy: undefined,
    },
  ])('$name', ({ server, env, proxy }) => {
    expect(proxyFor(server, env)).toBe(proxy);
  });
});
