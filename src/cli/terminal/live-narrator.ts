import type { WriteStream } from 'node:tty';
import type { Decision } from '../../core/explain/decision.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ClusterView } from '../../server/view.ts';
import { frameOf } from './frame.ts';
import type { Narrator } from './narrator.ts';

const redrawMs = 200;
const keptDecisions = 50;

/** A picture that is redrawn in place. */
export function createLiveNarrator(options: {
  readonly clock: Clock;
  readonly stream: WriteStream;
  /** Lines to copy, shown all the time. */
  readonly links: () => readonly string[];
}): Narrator {
  const { clock, stream } = options;
  const startMs = clock.nowMs();
  let chapter = '';
  let view: ClusterView | undefined;
  let decisions: readonly Decision[] = [];
  let drawnLines = 0;
  let cancel = clock.schedule(redrawMs, tick);

  function tick(): void {
    draw();
    cancel = clock.schedule(redrawMs, tick);
  }

  function draw(): void {
    const size = { columns: stream.columns ?? 80, rows: stream.rows ?? 24 };
    const scene = {
      elapsedMs: clock.nowMs() - startMs,
      chapter,
      view,
      decisions,
      links: options.links(),
    };
    const lines = frameOf(scene, size).slice(0, size.rows - 1);
    const up = drawnLines > 0 ? `\u001b[${drawnLines}A` : '';
    stream.write(`${up}${lines.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[0J`);
    drawnLines = lines.length;
  }

  stream.write('\u001b[?25l');
  return {
    tell: (sentence) => {
      chapter = sentence;
    },
    decide: (decision) => {
      decisions = [...decisions, decision].slice(-keptDecisions);
    },
    show: (next) => {
      view = next;
    },
    close: () => {
      cancel();
      draw();
      stream.write('\u001b[?25h');
    },
  };
}
