import { fork } from '../../adapters/system/seeded-random.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpHandler } from '../../ports/http.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import { runActors } from '../../world/actors/run-actors.ts';
import type { Catalog } from '../../world/aws/catalog.ts';
import { type AwsEndpoint, createAwsEndpoint } from '../../world/aws/endpoint.ts';
import { createKubeServer } from '../../world/kube/server.ts';
import { runCloudNodeController } from '../../world/machines/cloud-node-controller.ts';
import { runKubelets } from '../../world/machines/run-kubelets.ts';

export interface WorldParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface WorldSettings {
  readonly catalog: Catalog;
  readonly region: string;
  readonly clusterName: string;
  /** How much faster than life the cloud boots and kubelets start pods. */
  readonly speed: number;
  /** How machines and `eks describe-cluster` reach the API server; asked late, as ports are known late. */
  readonly apiServer: () => { readonly endpoint: string; readonly certificateAuthority: string };
}

export const kubernetesVersion = '1.36';

/** The AWS half: an account with a VPC, roles, images, a queue and one EKS cluster. */
export function composeAws(parts: WorldParts, settings: WorldSettings): AwsEndpoint {
  return createAwsEndpoint({
    clock: parts.clock,
    random: fork(parts.random, 'aws'),
    catalog: settings.catalog,
    region: settings.region,
    speed: settings.speed,
    cluster: () => ({
      name: settings.clusterName,
      version: kubernetesVersion,
      serviceIpv4Cidr: '10.100.0.0/16',
      ...settings.apiServer(),
    }),
  });
}

/** The Kubernetes half: an API server, still without anybody acting on it. */
export function composeKube(parts: WorldParts): HttpHandler {
  return createKubeServer({ clock: parts.clock, random: fork(parts.random, 'kube') }).handle;
}

/** Brings the API server to life: workload controllers, scheduler, garbage collection. */
export function animateKube(
  parts: WorldParts,
  kube: KubeClient,
  signal: AbortSignal,
): Promise<void> {
  return runActors({ ...parts, random: fork(parts.random, 'actors'), kube }, signal);
}

/** Gives every EC2 instance a kubelet, and removes the Nodes of instances that are gone. */
export async function animateMachines(
  parts: WorldParts,
  options: { readonly aws: AwsEndpoint; readonly kube: KubeClient; readonly speed: number },
  signal: AbortSignal,
): Promise<void> {
  const { machines } = options.aws;
  const ports = { ...parts, random: fork(parts.random, 'kubelets'), machines };
  await Promise.all([
    runKubelets({ ...ports, connect: () => options.kube }, { speed: options.speed }, signal),
    runCloudNodeController({ ...ports, kube: options.kube }, signal),
  ]);
}
