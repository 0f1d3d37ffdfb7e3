import { type EventObject, events } from '../api/kubernetes/core.ts';
import type { KubeObject } from '../api/resource.ts';
import { timestamp } from '../api/timestamp.ts';
import type { Clock } from '../ports/clock.ts';
import { isKubeError, type KubeClient } from '../ports/kube.ts';
import type { Log } from '../ports/log.ts';
import { hexDigits, type Random } from '../ports/random.ts';
import type { EventDraft, EventPublisher } from '../ports/recorder.ts';
import { EventAllowance, type EventRate } from './event-allowance.ts';

interface EventPublisherOptions {
  readonly kube: KubeClient;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** Who says it: `karpenter`. */
  readonly component: string;
}

/** The same event within this time is counted and not sent. */
const quietMs = 120_000;
/** The server forgets events after an hour; a repeat after that is a new one. */
const rememberedMs = 3_600_000;
/** About one object and of one reason; pods that are planned again and again hear of it now and then. */
const rateOfSubject: EventRate = { perSecond: 1 / 120, burst: 10 };
/** More than this waiting to be sent means a server that is not there; news are then dropped. */
const longestQueue = 1_000;

interface Told {
  readonly object: EventObject;
  /** Repeats since it was last sent. */
  uncounted: number;
  sentMs: number;
}

/**
 * Publishes Kubernetes events in the background, one after another. Repeats are counted: the
 * next one after two quiet minutes raises the count of the event that is there. What exceeds the
 * rate for its reason, or for its reason and object, waits for its next repeat. Never throws.
 */
export function createEventPublisher(options: EventPublisherOptions): EventPublisher {
  const { clock, log } = options;
  const told = new Map<string, Told>();
  const allowance = new EventAllowance(clock);
  const ofSubject = new EventAllowance(clock, rateOfSubject);
  const queue: (() => Promise<void>)[] = [];
  let isSending = false;

  async function drain(): Promise<void> {
    isSending = true;
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await task();
    isSending = false;
  }

  function submit(task: () => Promise<void>): void {
    queue.push(task);
    if (!isSending) void drain();
  }

  function isAllowed(draft: EventDraft): boolean {
    const subject = `${draft.reason}\n${subjectOf(draft)}`;
    return queue.length < longestQueue && ofSubject.take(subject) && allowance.take(draft.reason);
  }

  function publish(draft: EventDraft): boolean {
    const key = keyOf(draft);
    forgetOld(told, clock.nowMs());
    const earlier = told.get(key);
    if (earlier !== undefined && clock.nowMs() - earlier.sentMs < quietMs) {
      earlier.uncounted++;
      return true;
    }
    if (!isAllowed(draft)) {
      log.debug('event held back', { reason: draft.reason, event: draft.message });
      if (earlier !== undefined) earlier.uncounted++;
      return false;
    }
    const object = earlier === undefined ? newEvent(options, draft) : repeated(earlier, clock);
    told.delete(key);
    told.set(key, { object, uncounted: 0, sentMs: clock.nowMs() });
    submit(() => send(options, object));
    return true;
  }

  return { publish };
}

function keyOf(draft: EventDraft): string {
  return [draft.reason.toLowerCase(), subjectOf(draft), draft.message].join('\n');
}

function subjectOf({ about: { metadata } }: EventDraft): string {
  return metadata.uid ?? `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Entries are in order of their last sending, so that the old ones come first. */
function forgetOld(told: Map<string, Told>, nowMs: number): void {
  for (const [key, entry] of told) {
    if (nowMs - entry.sentMs < rememberedMs) return;
    told.delete(key);
  }
}

function newEvent(options: EventPublisherOptions, draft: EventDraft): EventObject {
  const { clock, random, component } = options;
  const { about, type, reason, message } = draft;
  const { name, uid } = about.metadata;
  // Events about objects without a namespace are kept in this one by custom.
  const namespace = about.metadata.namespace ?? 'default';
  const now = timestamp(clock.nowMs());
  return {
    metadata: { name: `${name.slice(0, 200)}.${hexDigits(random, 16)}`, namespace },
    involvedObject: {
      ...typeOf(about),
      name,
      ...(about.metadata.namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
    },
    type,
    reason,
    // The server refuses anything longer.
    message: message.slice(0, 1_024),
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component },
  };
}

function typeOf(about: KubeObject): { readonly apiVersion?: string; readonly kind: string } {
  const kind = about.kind ?? '';
  return about.apiVersion === undefined ? { kind } : { apiVersion: about.apiVersion, kind };
}

function repeated(earlier: Told, clock: Clock): EventObject {
  const count = (earlier.object.count ?? 1) + earlier.uncounted + 1;
  return { ...earlier.object, count, lastTimestamp: timestamp(clock.nowMs()) };
}

async function send(options: EventPublisherOptions, object: EventObject): Promise<void> {
  const { kube, log } = options;
  const { count, lastTimestamp, reason } = object;
  const key = { name: object.metadata.name, namespace: object.metadata.namespace };
  try {
    if (count !== undefined && count > 1) {
      try {
        await kube.patch(events, key, { type: 'merge', body: { count, lastTimestamp } });
        return;
      } catch (error) {
        // The server has forgotten it meanwhile, or never had it: it is told anew below.
        if (!isKubeError(error, 'not-found')) throw error;
      }
    }
    await kube.create(events, object);
  } catch (error) {
    log.error('publishing an event failed', { reason, event: object.message, error });
  }
}
