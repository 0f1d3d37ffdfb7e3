import type { KubeObject } from '../api/resource.ts';
import type { Decision, DecisionDraft } from '../core/explain/decision.ts';

/** Keeps the latest decisions, logs each, and hands them to whoever listens. */
export interface DecisionRecorder {
  /** Numbers, stamps and keeps it. The oldest are forgotten when the ring is full. */
  record(draft: DecisionDraft): Decision;
  /** Those after the given id that are still kept, oldest first. */
  since(id: number): readonly Decision[];
  /** Calls back for every later decision until the returned function is called. */
  subscribe(listener: (decision: Decision) => void): () => void;
}

/** Publishes Kubernetes events; repeats within minutes are counted, not repeated. Never throws. */
export interface EventPublisher {
  /** False where there are too many events at the moment: it is not told unless it comes again. */
  publish(event: EventDraft): boolean;
}

export interface EventDraft {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}
