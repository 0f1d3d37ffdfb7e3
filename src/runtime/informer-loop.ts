import type { KubeObject, Resource } from '../api/resource.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import { isKubeError, type KubeClient, type ListOptions } from '../ports/kube.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { inSlices } from '../ports/slices.ts';
import { createBackoff } from './backoff.ts';
import { FailureLog } from './failure-log.ts';
import type { InformerCache } from './informer-cache.ts';

export type InformerState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'listing' }
  | { readonly kind: 'watching' }
  | { readonly kind: 'backing-off'; readonly untilMs: number };

interface FollowOptions<T extends KubeObject> extends Omit<ListOptions, 'signal'> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: Random | undefined;
  readonly project?: ((object: T) => T) | undefined;
  readonly canDoWithout?: boolean | undefined;
  readonly cache: InformerCache<T>;
  readonly onSynced: () => void;
  readonly enterState: (state: InformerState) => void;
}

interface Following<T extends KubeObject> extends FollowOptions<T> {
  readonly failureLog: FailureLog;
}

/** What to do next: a step succeeded and says so, or the watch's history is lost. */
type Next = 'list' | 'watch';
type Doing = 'listing' | 'watching';

/** A watch that ends sooner than this and told nothing counts as a failure, lest we spin. */
const shortestWatchMs = 1_000;
/** Somebody may add the missing rule; until then the log is not filled with the same complaint. */
const forbiddenPauseMs = 600_000;

/** Keeps the cache equal to the server until the signal is aborted. Resolves then; never rejects. */
export async function followServer<T extends KubeObject>(
  options: FollowOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, random, enterState, resource } = options;
  const failureLog = new FailureLog(clock, log);
  const following = { ...options, failureLog };
  const backoff = createBackoff({ random, minMs: 200, maxMs: 30_000 });
  let next: Next = 'list';
  while (!signal.aborted) {
    const doing: Doing = next === 'list' ? 'listing' : 'watching';
    enterState({ kind: doing });
    const outcome: Outcome = await (next === 'list' ? list : watch)(following, signal);
    if (signal.aborted) break;
    next = outcome.next;
    if (outcome.isHealthy) {
      backoff.reset();
      failureLog.succeeded(doing, `${doing} works again`, { resource: resource.plural });
      continue;
    }
    const waitMs = Math.max(backoff.nextMs(), outcome.waitMs ?? 0);
    enterState({ kind: 'backing-off', untilMs: clock.nowMs() + waitMs });
    await sleep(clock, waitMs, signal).catch(() => undefined);
  }
  enterState({ kind: 'stopped' });
}

interface Outcome {
  readonly next: Next;
  readonly isHealthy: boolean;
  /** What the server asked us to wait. */
  readonly waitMs?: number | undefined;
}

async function list<T extends KubeObject>(
  options: Following<T>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { client, resource, clock, cache, project } = options;
  try {
    const found = await client.list(resource, { ...selectionOf(options), signal }, project);
    await inSlices(cache.replacing(found.items, found.resourceVersion), clock, signal);
    options.onSynced();
    return { next: 'watch', isHealthy: true };
  } catch (error) {
    if (signal.aborted) return { next: 'list', isHealthy: true };
    if (options.canDoWithout === true && isKubeError(error, 'forbidden'))
      return goOnWithout(options, error);
    reportFailure(options, 'listing', error);
    return { next: 'list', isHealthy: false, waitMs: requestedWait(error) };
  }
}

function goOnWithout<T extends KubeObject>(options: Following<T>, error: unknown): Outcome {
  const { log, resource } = options;
  log.error('listing is forbidden, going on without', {
    resource: resource.plural,
    error,
    remedy: remedyFor(error, resource),
  });
  options.onSynced();
  return { next: 'list', isHealthy: false, waitMs: forbiddenPauseMs };
}

async function watch<T extends KubeObject>(
  options: Following<T>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { client, resource, clock, cache, project, log } = options;
  const startedMs = clock.nowMs();
  const versionBefore = cache.version;
  try {
    const selection = { ...selectionOf(options), resourceVersion: versionBefore };
    for await (const event of client.watch(resource, selection, signal)) {
      if (event.type === 'BOOKMARK') cache.advance(event.resourceVersion);
      else cache.observe(event.type, project?.(event.object) ?? event.object);
    }
    const isHealthy =
      cache.version !== versionBefore || clock.nowMs() - startedMs >= shortestWatchMs;
    return { next: 'watch', isHealthy };
  } catch (error) {
    if (signal.aborted) return { next: 'list', isHealthy: true };
    if (isKubeError(error, 'gone')) {
      log.debug('watch history is gone, listing again', { resource: resource.plural });
      return { next: 'list', isHealthy: cache.version !== versionBefore };
    }
    reportFailure(options, 'watching', error);
    // A lost connection resumes where it was. Any other refusal may concern that very version.
    const next = isKubeError(error, 'unreachable', 'too-many-requests') ? 'watch' : 'list';
    return { next, isHealthy: false, waitMs: requestedWait(error) };
  }
}

function selectionOf(options: ListOptions): ListOptions {
  const { namespace, labelSelector, fieldSelector } = options;
  return { namespace, labelSelector, fieldSelector };
}

function requestedWait(error: unknown): number | undefined {
  return isKubeError(error) ? error.retryAfterMs : undefined;
}

function reportFailure<T extends KubeObject>(
  options: Following<T>,
  doing: Doing,
  error: unknown,
): void {
  const { log, resource, failureLog } = options;
  const fields = { resource: resource.plural, error, remedy: remedyFor(error, resource) };
  // A watch that breaks is everyday life and resumes by itself; a list that fails is not.
  if (doing === 'watching' && isKubeError(error, 'unreachable')) log.debug('watch lost', fields);
  else failureLog.failed(doing, `${doing} failed, trying again`, fields);
}

/** What a person can do about it, where we know. */
function remedyFor(error: unknown, resource: Resource): string | undefined {
  if (!isKubeError(error)) return undefined;
  const group = resource.group === '' ? '""' : resource.group;
  switch (error.kind) {
    case 'forbidden':
      return `allow get, list and watch on ${resource.plural} (apiGroups: [${group}]) in the ClusterRole of this service account`;
    case 'not-found':
      return `install the CustomResourceDefinition ${resource.plural}.${resource.group}, version ${resource.version}`;
    case 'unauthorized':
      return 'check that the credentials have not expired and belong to this cluster';
    case 'unreachable':
      return 'check the address of the API server and the network between';
    default:
      return undefined;
  }
}
