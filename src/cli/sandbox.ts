import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AwsClients, createAwsClients } from '../adapters/aws/calls/clients.ts';
import { createKubeClient } from '../adapters/kube/client.ts';
import type { KubeConnection } from '../adapters/kube/connection.ts';
import { loadKubeconfig } from '../adapters/kube/kubeconfig.ts';
import { createTransport } from '../adapters/kube/transport.ts';
import type { HttpHandler } from '../ports/http.ts';
import type { KubeClient } from '../ports/kube.ts';
import type { AwsEndpoint } from '../world/aws/endpoint.ts';
import { serveKube } from '../world/kube/serve.ts';
import { serveHttp } from '../world/serve-http.ts';
import { readCatalog } from './compose/catalog.ts';
import {
  animateKube,
  animateMachines,
  composeAws,
  composeKube,
  type WorldParts,
} from './compose/world.ts';
import { stopSwitch } from './signals.ts';

/** The world's own actors stand for many processes; one client's limit would slow them all. */
const unlimited = { requestsPerSecond: 10_000, burst: 10_000 };

export interface SandboxSettings {
  readonly clusterName: string;
  readonly region: string;
  readonly speed: number;
  /** A real API server to stand beside; the embedded one when left out. */
  readonly kubeconfig?: string | undefined;
}

/** The embedded world, served on loopback, with the lines a person copies to use it. */
export interface Sandbox {
  readonly kube: KubeClient;
  readonly awsClients: AwsClients;
  readonly aws: AwsEndpoint;
  readonly apiServer: { readonly endpoint: string; readonly certificateAuthority: string };
  /** What kubectl, the AWS CLI and `karpenter controller` need in their environment. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts everything; what was started before a failure is stopped again. */
export async function openSandbox(parts: WorldParts, settings: SandboxSettings): Promise<Sandbox> {
  const stop = stopSwitch();
  const closers: (() => unknown)[] = [() => stop.abort(new Error('the world is closing'))];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0)) await closer();
  };
  try {
    const apiServer = await openApiServer(parts, settings, { closers, signal: stop.signal });
    const facts = {
      endpoint: apiServer.connection.server,
      certificateAuthority: Buffer.from(apiServer.connection.certificateAuthority ?? '').toString(
        'base64',
      ),
    };
    const aws = composeAws(parts, { ...settings, catalog: readCatalog(), apiServer: () => facts });
    const awsServer = await serveHttp({ handle: aws.handle });
    closers.push(() => awsServer.close());
    background(
      parts,
      animateMachines(parts, { aws, kube: apiServer.kube, speed: settings.speed }, stop.signal),
    );
    return {
      kube: apiServer.kube,
      awsClients: createAwsClients({ region: settings.region, send: aws.handle }),
      aws,
      apiServer: facts,
      env: environment(settings, apiServer.kubeconfigFile, awsServer.url),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface ApiServer {
  readonly kube: KubeClient;
  readonly connection: KubeConnection;
  readonly kubeconfigFile: string;
}

interface Lifetime {
  readonly closers: (() => unknown)[];
  readonly signal: AbortSignal;
}

async function openApiServer(
  parts: WorldParts,
  settings: SandboxSettings,
  lifetime: Lifetime,
): Promise<ApiServer> {
  if (settings.kubeconfig !== undefined) return joinApiServer(parts, settings.kubeconfig, lifetime);
  const handle: HttpHandler = composeKube(parts);
  const served = await serveKube({ handle, nowMs: parts.clock.nowMs() });
  lifetime.closers.push(() => served.close());
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-'));
  lifetime.closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const kubeconfigFile = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigFile, served.kubeconfig, { mode: 0o600 });
  const kube = createKubeClient({
    send: handle,
    clock: parts.clock,
    log: parts.log,
    rateLimit: unlimited,
  });
  background(parts, animateKube(parts, kube, lifetime.signal));
  return { kube, connection: loadKubeconfig({ path: kubeconfigFile, env: {} }), kubeconfigFile };
}

function joinApiServer(parts: WorldParts, path: string, lifetime: Lifetime): ApiServer {
  const connection = loadKubeconfig({ path, env: process.env });
  const transport = createTransport(connection, parts.clock);
  lifetime.closers.push(() => transport.close());
  const kube = createKubeClient({
    send: transport,
    clock: parts.clock,
    log: parts.log,
    rateLimit: unlimited,
  });
  return { kube, connection, kubeconfigFile: path };
}

/** A part of the world that fails takes its error to the log; the rest goes on. */
function background(parts: WorldParts, work: Promise<void>): void {
  work.catch((error: unknown) => parts.log.error('a part of the world ended', { error }));
}

function environment(
  settings: SandboxSettings,
  kubeconfig: string,
  awsUrl: string,
): Record<string, string> {
  return {
    KUBECONFIG: kubeconfig,
    AWS_ENDPOINT_URL: awsUrl,
    AWS_REGION: settings.region,
    // The older AWS CLI reads only this one.
    AWS_DEFAULT_REGION: settings.region,
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
  };
}
