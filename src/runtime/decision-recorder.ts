import type { Decision } from '../core/explain/decision.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { DecisionRecorder } from '../ports/recorder.ts';

interface DecisionRecorderOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** How many decisions are kept; 10,000 unless told. */
  readonly capacity?: number | undefined;
}

const defaultCapacity = 10_000;

/** Keeps the latest decisions in a ring and logs one line for each. */
export function createDecisionRecorder(options: DecisionRecorderOptions): DecisionRecorder {
  const { clock, log, capacity = defaultCapacity } = options;
  const ring: Decision[] = [];
  const listeners = new Set<(decision: Decision) => void>();
  let lastId = 0;

  return {
    record: (draft) => {
      const decision: Decision = { ...draft, id: ++lastId, atMs: clock.nowMs() };
      ring[(decision.id - 1) % capacity] = decision;
      logDecision(log, decision);
      for (const listener of [...listeners]) listener(decision);
      return decision;
    },
    since: (id) => {
      const firstKept = Math.max(1, lastId - capacity + 1, Math.floor(id) + 1);
      const kept: Decision[] = [];
      for (let next = firstKept; next <= lastId; next++) {
        const decision = ring[(next - 1) % capacity];
        if (decision !== undefined) kept.push(decision);
      }
      return kept;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function logDecision(log: Log, decision: Decision): void {
  const { id, code, subject, because, money, sentence } = decision;
  log.info('decided', {
    decision: id,
    code,
    [subject.kind]:
      subject.namespace === undefined ? subject.name : `${subject.namespace}/${subject.name}`,
    sentence,
    because: Object.fromEntries(because.map(({ name, value }) => [name, value])),
    ...(money === undefined ? {} : { money }),
  });
}
