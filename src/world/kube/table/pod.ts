import { hasTrueCondition } from '../condition.ts';
import { type Json, listAt } from '../json.ts';
import { orElse, wordAt } from './cell-value.ts';
import { ageColumn, type ColumnRule, nameColumn, text, wide } from './column.ts';
import { humanDuration } from './human-duration.ts';
import { summarizePod } from './pod-status.ts';

export const podColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Ready', 'Containers that are ready, of all that should be.', (pod) => {
    const { readyContainers, totalContainers } = summarizePod(pod);
    return `${readyContainers}/${totalContainers}`;
  }),
  text(
    'Status',
    'The phase, or what keeps the pod from running.',
    (pod) => summarizePod(pod).reason,
  ),
  text('Restarts', 'How often containers were started again.', restartsCell),
  ageColumn,
  wide(text('IP', 'First address of the pod.', (pod) => orElse(podIp(pod), '<none>'))),
  wide(
    text('Node', 'Node that the pod is bound to.', (pod) =>
      orElse(wordAt(pod, 'spec', 'nodeName'), '<none>'),
    ),
  ),
  wide(
    text('Nominated Node', 'Node that preemption is making room on.', (pod) =>
      orElse(wordAt(pod, 'status', 'nominatedNodeName'), '<none>'),
    ),
  ),
  wide(text('Readiness Gates', 'Extra conditions that hold, of all asked for.', readinessCell)),
];

function restartsCell(pod: Json | undefined, nowMs: number): string {
  const { restarts, lastRestartMs } = summarizePod(pod);
  if (restarts === 0 || lastRestartMs === 0) return String(restarts);
  return `${restarts} (${humanDuration(nowMs - lastRestartMs)} ago)`;
}

function podIp(pod: Json | undefined): string {
  const [first] = listAt(pod, 'status', 'podIPs');
  return first === undefined ? wordAt(pod, 'status', 'podIP') : wordAt(first, 'ip');
}

function readinessCell(pod: Json | undefined): string {
  const gates = listAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return '<none>';
  const met = gates.filter((gate) => hasTrueCondition(pod, wordAt(gate, 'conditionType')));
  return `${met.length}/${gates.length}`;
}
