import { createHash } from 'node:crypto';
import type { Clock } from '../../../ports/clock.ts';
import { type Random, uuid } from '../../../ports/random.ts';

/** A message attribute as SQS passes it on. */
export interface MessageAttribute {
  readonly DataType: string;
  readonly StringValue?: string;
  readonly BinaryValue?: string;
}

export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

export interface Message {
  readonly id: string;
  readonly body: string;
  readonly bodyMd5: string;
  readonly attributes: MessageAttributes;
  readonly sentAtMs: number;
}

export interface Received extends Message {
  readonly receiptHandle: string;
  readonly receiveCount: number;
  readonly firstReceivedAtMs: number;
}

export interface QueueSettings {
  readonly visibilityTimeoutMs: number;
  readonly retentionMs: number;
  readonly waitMs: number;
}

interface Held extends Message {
  visibleAtMs: number;
  receiveCount: number;
  firstReceivedAtMs: number;
}

/** A standard queue: at least once, roughly in order, hidden while being worked on. */
export class Queue {
  readonly name: string;
  readonly createdAtMs: number;
  settings: QueueSettings;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #messages = new Map<string, Held>();
  readonly #arrivals = new Set<() => void>();

  constructor(
    name: string,
    settings: QueueSettings,
    sources: { readonly clock: Clock; readonly random: Random },
  ) {
    this.name = name;
    this.settings = settings;
    this.#clock = sources.clock;
    this.#random = sources.random;
    this.createdAtMs = sources.clock.nowMs();
  }

  send(
    body: string,
    options: { readonly attributes?: MessageAttributes; readonly delayMs?: number } = {},
  ): Message {
    this.#expire();
    const nowMs = this.#clock.nowMs();
    const message: Held = {
      id: uuid(this.#random),
      body,
      bodyMd5: md5(body),
      attributes: options.attributes ?? {},
      sentAtMs: nowMs,
      visibleAtMs: nowMs + (options.delayMs ?? 0),
      receiveCount: 0,
      firstReceivedAtMs: 0,
    };
    this.#messages.set(message.id, message);
    for (const wake of [...this.#arrivals]) wake();
    return message;
  }

  /**
   * Up to `max` messages, hidden from others for the visibility timeout. Without any it waits, and
   * answers empty when the time is over. Rejects when the signal is aborted.
   */
  async receive(options: {
    readonly max: number;
    readonly visibilityTimeoutMs: number;
    readonly waitMs: number;
    readonly signal: AbortSignal | undefined;
  }): Promise<readonly Received[]> {
    const deadlineMs = this.#clock.nowMs() + options.waitMs;
    for (;;) {
      const received = this.#take(options.max, options.visibilityTimeoutMs);
      if (received.length > 0 || this.#clock.nowMs() >= deadlineMs) return received;
      await this.#somethingNew(deadlineMs, options.signal);
    }
  }

  /** Forgets the message if the handle is from its latest receipt; else does nothing, as SQS. */
  delete(receiptHandle: string): void {
    const { id, receiveCount } = readHandle(receiptHandle);
    if (this.#messages.get(id)?.receiveCount === receiveCount) this.#messages.delete(id);
  }

  changeVisibility(receiptHandle: string, timeoutMs: number): void {
    const { id, receiveCount } = readHandle(receiptHandle);
    const message = this.#messages.get(id);
    if (message?.receiveCount !== receiveCount) return;
    message.visibleAtMs = this.#clock.nowMs() + timeoutMs;
    for (const wake of [...this.#arrivals]) wake();
  }

  purge(): void {
    this.#messages.clear();
  }

  counts(): { readonly visible: number; readonly hidden: number; readonly delayed: number } {
    this.#expire();
    const nowMs = this.#clock.nowMs();
    const all = [...this.#messages.values()];
    const waiting = all.filter((message) => message.visibleAtMs > nowMs);
    const delayed = waiting.filter((message) => message.receiveCount === 0).length;
    return { visible: all.length - waiting.length, hidden: waiting.length - delayed, delayed };
  }

  #take(max: number, visibilityTimeoutMs: number): readonly Received[] {
    this.#expire();
    const nowMs = this.#clock.nowMs();
    const visible = [...this.#messages.values()].filter((message) => message.visibleAtMs <= nowMs);
    return visible.slice(0, max).map((message) => {
      message.visibleAtMs = nowMs + visibilityTimeoutMs;
      message.receiveCount += 1;
      if (message.receiveCount === 1) message.firstReceivedAtMs = nowMs;
      return { ...message, receiptHandle: makeHandle(message) };
    });
  }

  /** Resolves when a message arrives or turns visible again, or at the deadline. */
  #somethingNew(deadlineMs: number, signal: AbortSignal | undefined): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const visibleMs = [...this.#messages.values()].map((message) => message.visibleAtMs);
    const wakeMs = Math.min(deadlineMs, ...visibleMs);
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void) => () => {
        cancel();
        this.#arrivals.delete(wake);
        signal?.removeEventListener('abort', abort);
        settle();
      };
      const wake = finish(resolve);
      const abort = finish(() => reject(signal?.reason));
      const cancel = this.#clock.schedule(wakeMs - nowMs, wake);
      this.#arrivals.add(wake);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  #expire(): void {
    const oldestMs = this.#clock.nowMs() - this.settings.retentionMs;
    for (const message of this.#messages.values()) {
      if (message.sentAtMs >= oldestMs) break;
      this.#messages.delete(message.id);
    }
  }
}

function makeHandle(message: Held): string {
  return Buffer.from(`${message.id}/${message.receiveCount}`, 'utf8').toString('base64');
}

function readHandle(handle: string): { readonly id: string; readonly receiveCount: number } {
  const [id = '', count = ''] = Buffer.from(handle, 'base64').toString('utf8').split('/');
  return { id, receiveCount: Number(count) };
}

function md5(value: string): string {
  return createHash('md5').update(value, 'utf8').digest('hex');
}
