import type { Container, PodObject } from '../../api/kubernetes/core.ts';

/** For demonstrations: a pod with this annotation ends well after so many seconds. */
const runSecondsAnnotation = 'world.karpenter.sh/run-seconds';

/** How long a pod that may end runs, and with which exit code it ends; undefined runs for ever. */
export interface PodEnd {
  readonly afterMs: number;
  readonly exitCode: number;
}

/**
 * Only pods that are not restarted can end. Their command tells: `sleep 30`, perhaps followed by
 * `exit 1`; of several containers the longest counts. A failing pod with OnFailure is restarted
 * in place for ever, which looks like running for ever.
 */
export function podEnd(pod: PodObject): PodEnd | undefined {
  const policy = pod.spec.restartPolicy ?? 'Always';
  if (policy === 'Always') return undefined;
  const annotated = Number(pod.metadata.annotations?.[runSecondsAnnotation] ?? Number.NaN);
  if (annotated >= 0) return { afterMs: annotated * 1000, exitCode: 0 };
  let afterMs = 0;
  let exitCode = 0;
  for (const container of pod.spec.containers) {
    const end = containerEnd(container);
    if (end === undefined) return undefined;
    afterMs = Math.max(afterMs, end.afterMs);
    exitCode = Math.max(exitCode, end.exitCode);
  }
  return exitCode > 0 && policy === 'OnFailure' ? undefined : { afterMs, exitCode };
}

function containerEnd(container: Container): PodEnd | undefined {
  const line = [...(container.command ?? []), ...(container.args ?? [])].join(' ');
  const seconds = [...line.matchAll(/\bsleep\s+(\d+(?:\.\d+)?)(?![\w.])/g)];
  const exit = /\bexit\s+(\d+)/.exec(line);
  const isImmediate = /^(?:\S*\/)?(?:echo|true|date)\b/.test(line);
  if (/\bsleep\s+inf/.test(line)) return undefined;
  if (seconds.length === 0 && exit === null && !isImmediate) return undefined;
  const total = seconds.reduce((sum, match) => sum + Number(match[1]), 0);
  return { afterMs: total * 1000, exitCode: Number(exit?.[1] ?? 0) };
}
