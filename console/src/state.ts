import { computed, signal } from '@preact/signals';
import type { Decision } from '../../src/core/explain/decision.ts';
import type { ClusterView } from '../../src/server/view.ts';

/** What the page shows. It changes only through `connect`. */

export type Connection = 'connecting' | 'live' | 'lost';
export type Scale = 'cpu' | 'memory' | 'price';

export const view = signal<ClusterView | undefined>(undefined);
export const decisions = signal<readonly Decision[]>([]);
export const connection = signal<Connection>('connecting');
/** What the area of a node's box stands for. */
export const scale = signal<Scale>('cpu');

/** Pools in order of name; a pool's place in it chooses its colour. */
export const poolOrder = computed(() => (view.value?.pools ?? []).map((pool) => pool.name));

const keptDecisions = 400;

/** Follows the controller for as long as the page is open; the browser reconnects by itself. */
export function connect(): void {
  const source = new EventSource('./api/stream');
  source.addEventListener('open', () => {
    connection.value = 'live';
  });
  source.addEventListener('error', () => {
    connection.value = 'lost';
  });
  source.addEventListener('reset', () => {
    decisions.value = [];
  });
  source.addEventListener('decision', (event) => {
    const decision = JSON.parse(event.data) as Decision;
    decisions.value = [decision, ...decisions.value].slice(0, keptDecisions);
  });
  source.addEventListener('view', (event) => {
    view.value = JSON.parse(event.data) as ClusterView;
  });
}
