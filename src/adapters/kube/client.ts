import type { KubeObject, Resource } from '../../api/resource.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HttpHandler } from '../../ports/http.ts';
import type { KubeClient, ObjectKey } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';
import type { Random } from '../../ports/random.ts';
import {
  type Call,
  createCall,
  deleteCall,
  evictCall,
  getCall,
  patchCall,
  updateCall,
} from './call.ts';
import { parseBody, typed } from './decode.ts';
import { listAll } from './list.ts';
import { createRateLimiter, type RateLimit } from './rate-limit.ts';
import { request, type Sender } from './request.ts';
import { nameOf, objectPath } from './resource-path.ts';
import { isAbsence, type Status } from './status-error.ts';
import { watchChanges } from './watch.ts';

export interface KubeClientOptions {
  /** A transport over sockets, or a server in this process. */
  readonly send: HttpHandler;
  readonly clock: Clock;
  /** Hears of every call that is sent again. */
  readonly log?: Log | undefined;
  /** Spreads delays and the lengths of watches; without it they are exact. */
  readonly random?: Random | undefined;
  readonly userAgent?: string | undefined;
  /** How long a watch lasts at least; chance makes it up to twice as long. 300 unless told. */
  readonly watchSeconds?: number | undefined;
  /** 200 requests a second and bursts of 300 unless told. Leases are exempt. */
  readonly rateLimit?: RateLimit | undefined;
}

const defaultRateLimit: RateLimit = { requestsPerSecond: 200, burst: 300 };

/** A client for the Kubernetes REST API that speaks through any HTTP handler. */
export function createKubeClient(options: KubeClientOptions): KubeClient {
  const { send, clock, log, random, userAgent = 'karpenter', watchSeconds = 300 } = options;
  const pass = createRateLimiter(clock, options.rateLimit ?? defaultRateLimit);
  const sender: Sender = { send, clock, log, random, userAgent, watchSeconds, pass };
  return {
    get: (resource, key) => get(sender, resource, key),
    list: (resource, selection = {}, keep) => listAll(sender, resource, { ...selection, keep }),
    watch: (resource, selection, signal) =>
      watchChanges(sender, { resource, options: selection, signal }),
    create: (resource, object) => ask(sender, resource, createCall(resource, object)),
    update: (resource, object, subresource) =>
      ask(sender, resource, updateCall(resource, object, subresource)),
    patch: (resource, key, patch) => ask(sender, resource, patchCall(resource, key, patch)),
    delete: (resource, key, deletion) =>
      remove(sender, resource, deleteCall(resource, key, deletion)),
    evict: async (pod, deletion) => {
      await request(sender, evictCall(pod, deletion));
    },
    createSubresource: async (resource, key, subresource, body) => {
      const doing = `creating ${resource.plural}/${subresource} ${nameOf(key)}`;
      const path = objectPath(resource, key, subresource);
      await request(sender, { doing, method: 'POST', path, body });
    },
    serverVersion: () => serverVersion(sender),
  };
}

/** Any call that is answered with the object. */
async function ask<T extends KubeObject>(
  sender: Sender,
  resource: Resource<T>,
  call: Call,
): Promise<T> {
  const answer = parseBody(call.doing, await request(sender, call));
  return typed(resource, answer as object);
}

async function get<T extends KubeObject>(
  sender: Sender,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<T | undefined> {
  try {
    return await ask(sender, resource, getCall(resource, key));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

async function remove<T extends KubeObject>(
  sender: Sender,
  resource: Resource<T>,
  call: Call,
): Promise<T | undefined> {
  try {
    const answer = await ask(sender, resource, call);
    // A Status in place of the object: it had nothing to wait for and is gone.
    return (answer as Status).kind === 'Status' ? undefined : answer;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

async function serverVersion(sender: Sender): Promise<string> {
  const doing = 'getting the version of the server';
  const body = await request(sender, { doing, method: 'GET', path: '/version' });
  const version = parseBody(doing, body) as { readonly major?: string; readonly minor?: string };
  // Some clouds write `32+`.
  return `${version.major ?? ''}.${version.minor ?? ''}`.replace('+', '');
}
