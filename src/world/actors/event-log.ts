import { events } from '../../api/kubernetes/core.ts';
import { apiVersionOf, type KubeObject, type Resource } from '../../api/resource.ts';
import { timestamp } from '../../api/timestamp.ts';
import { isKubeError } from '../../ports/kube.ts';
import { hexDigits } from '../../ports/random.ts';
import type { ActorPorts } from './stage.ts';

interface Incident {
  readonly resource: Resource;
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

/** As many events about one object from one source at once, then one more every five minutes. */
const burst = 25;
const refillMs = 300_000;
/** Objects whose budgets are remembered; the longest unheard of is forgotten first. */
const remembered = 10_000;

/** Writes Kubernetes Events, and drops what real recorders drop: floods about a single object. */
export class EventLog {
  readonly #ports: ActorPorts;
  readonly #budgets = new Map<string, { readonly left: number; readonly atMs: number }>();

  constructor(ports: ActorPorts) {
    this.#ports = ports;
  }

  /** A failure is logged and stops nobody: events are best effort. */
  async record(incident: Incident): Promise<void> {
    if (!this.#spend(incident)) return;
    const { kube, log } = this.#ports;
    try {
      await kube.create(events, this.#draft(incident));
    } catch (error) {
      if (!isKubeError(error)) throw error;
      // In a namespace that is being deleted nothing can be created any more, events included.
      if (isKubeError(error, 'forbidden', 'not-found')) return;
      log.error('recording an event failed', { about: incident.about.metadata.name, error });
    }
  }

  #spend({ component, about }: Incident): boolean {
    const id = `${component} ${about.metadata.uid}`;
    const nowMs = this.#ports.clock.nowMs();
    const budget = this.#budgets.get(id);
    const gained = budget === undefined ? burst : Math.floor((nowMs - budget.atMs) / refillMs);
    const left = Math.min(burst, (budget?.left ?? 0) + gained);
    if (left <= 0) return false;
    this.#budgets.delete(id);
    this.#budgets.set(id, { left: left - 1, atMs: nowMs });
    if (this.#budgets.size > remembered) {
      const [oldest] = this.#budgets.keys();
      if (oldest !== undefined) this.#budgets.delete(oldest);
    }
    return true;
  }

  #draft({ about, resource, reason, message, type, component }: Incident) {
    const { clock, random } = this.#ports;
    const { name, namespace, uid = '' } = about.metadata;
    const now = timestamp(clock.nowMs());
    return {
      metadata: { name: `${name}.${hexDigits(random, 16)}`, namespace: namespace ?? 'default' },
      involvedObject: {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        name,
        ...(namespace && { namespace }),
        uid,
      },
      reason,
      message,
      type,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component },
    };
  }
}
