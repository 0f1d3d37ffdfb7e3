import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVirtualClock } from '../system/virtual-clock.ts';
import type { ExecPlugin } from './connection.ts';
import { createCredentialSource } from './credential-source.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const startMs = Date.UTC(2026, 0, 1);

/** A plugin that counts its runs and answers with that number as the token. */
function plugin(status: object, options: Partial<ExecPlugin> = {}): ExecPlugin {
  const path = join(folder, 'plugin');
  const runs = join(folder, 'runs');
  writeFileSync(
    path,
    `#!${process.execPath}
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(runs)}, process.env.KUBERNETES_EXEC_INFO + '\\n');
const count = fs.readFileSync(${JSON.stringify(runs)}, 'utf8').trim().split('\\n').length;
const status = { token: process.argv[2] + '-' + process.env.SUFFIX + '-' + count, ...${JSON.stringify(status)} };
console.log(JSON.stringify({ apiVersion: ${JSON.stringify('client.authentication.k8s.io/v1')}, kind: 'ExecCredential', status }));
`,
  );
  chmodSync(path, 0o755);
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: path,
    args: ['token'],
    env: { ...process.env, SUFFIX: 'x' },
    ...options,
  };
}

describe('credentials', () => {
  test('a token file is read again after a minute', async () => {
    const clock = createVirtualClock(startMs);
    const tokenFile = join(folder, 'token');
    writeFileSync(tokenFile, 'first\n');
    const source = createCredentialSource({ tokenFile }, clock);
    expect((await source.get()).authorization).toBe('Bearer first');
    writeFileSync(tokenFile, 'second\n');
    expect((await source.get()).authorization).toBe('Bearer first');
    await clock.runFor(60_000);
    expect((await source.get()).authorization).toBe('Bearer second');
  });

  test('a token file that cannot be read now is tried again at the next request', async () => {
    const tokenFile = join(folder, 'token');
    const source = createCredentialSource({ tokenFile }, createVirtualClock(startMs));
    await expect(source.get()).rejects.toThrow('ENOENT');
    writeFileSync(tokenFile, 'there');
    expect((await source.get()).authorization).toBe('Bearer there');
  });

  test('name and password become a basic header', async () => {
    const basic = { username: 'me', password: 'secret' };
    const source = createCredentialSource({ basic }, createVirtualClock(startMs));
    expect((await source.get()).authorization).toBe('Basic bWU6c2VjcmV0');
  });
});

describe('an exec plugin', () => {
  test('is run with its arguments, environment and the protocol version, once for many', async () => {
    const exec = plugin({}, { apiVersion: 'client.authentication.k8s.io/v1beta1' });
    const source = createCredentialSource({ exec }, createVirtualClock(startMs));
    const answers = await Promise.all([source.get(), source.get()]);
    expect(answers.map(({ authorization }) => authorization)).toEqual([
      'Bearer token-x-1',
      'Bearer token-x-1',
    ]);
    const info = JSON.parse(readFileSync(join(folder, 'runs'), 'utf8')) as object;
    expect(info).toMatchObject({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      kind: 'ExecCredential',
      spec: { interactive: false },
    });
  });

  test('is run again shortly before its credentials expire, and when they are refused', async () => {
    const clock = createVirtualClock(startMs);
    const exec = plugin({ expirationTimestamp: new Date(startMs + 600_000).toISOString() });
    const source = createCredentialSource({ exec }, clock);
    expect((await source.get()).authorization).toBe('Bearer token-x-1');
    await clock.runFor(569_000);
    expect((await source.get()).authorization).toBe('Bearer token-x-1');
    await clock.runFor(2_000);
    expect((await source.get()).authorization).toBe('Bearer token-x-2');
    expect(source.invalidate()).toBe(true);
    expect((await source.get()).authorization).toBe('Bearer token-x-3');
  });

  test('may hand out a client certificate', async () => {
    const exec = plugin({ clientCertificateData: 'certificate', clientKeyData: 'key' });
    const source = createCredentialSource({ exec }, createVirtualClock(startMs));
    expect(await source.get()).toMatchObject({
      clientCertificate: 'certificate',
      clientKey: 'key',
    });
  });

  test.each([
    {
      name: 'that is missing shows the hint',
      change: { command: '/nowhere/aws', installHint: 'get the AWS CLI' },
      says: /not installed: get the AWS CLI/,
    },
    {
      name: 'that fails shows what it said',
      change: {
        command: process.execPath,
        args: ['-e', 'console.error("no login"); process.exit(1)'],
      },
      says: /failed: no login/,
    },
    {
      name: 'that prints no JSON is named',
      change: { command: process.execPath, args: ['-p', '"hello"'] },
      says: /printed no JSON/,
    },
    {
      name: 'that prints nothing of use is named',
      change: { command: process.execPath, args: ['-p', '"{}"'] },
      says: /neither a token nor a certificate/,
    },
    {
      name: 'of an unknown version is refused',
      change: { apiVersion: 'client.authentication.k8s.io/v1alpha1' },
      says: /v1alpha1; known are/,
    },
  ])('one $name', async ({ change, says }) => {
    const exec = plugin({}, change);
    const source = createCredentialSource({ exec }, createVirtualClock(startMs));
    await expect(source.get()).rejects.toThrow(says);
  });
});
