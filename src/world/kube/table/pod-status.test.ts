import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { podColumns } from './pod.ts';
import { summarizePod } from './pod-status.ts';

const nowMs = Date.parse('2026-11-16T10:00:00Z');

function aPod(parts: { metadata?: JsonObject; spec?: JsonObject; status: JsonObject }): JsonObject {
  return {
    metadata: { name: 'web', creationTimestamp: '2026-11-16T09:59:00Z', ...parts.metadata },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...parts.spec },
    status: parts.status,
  };
}

function running(name: string, more: JsonObject = {}): JsonObject {
  const state = { running: { startedAt: '2026-11-16T09:59:30Z' } };
  return { name, ready: true, restartCount: 0, state, ...more };
}

function waiting(name: string, reason: string, more: JsonObject = {}): JsonObject {
  return { name, ready: false, restartCount: 0, state: { waiting: { reason } }, ...more };
}

function ended(name: string, exitCode: number, more: JsonObject = {}): JsonObject {
  const state = { terminated: { exitCode, ...more } };
  return { name, ready: false, restartCount: 0, state };
}

const ready = { type: 'Ready', status: 'True' };
const initialized = { type: 'Initialized', status: 'True' };
const twoInits = { initContainers: [{ name: 'i1' }, { name: 'i2' }] };
const sidecar = { initContainers: [{ name: 'i1', restartPolicy: 'Always' }] };
const deleted = { deletionTimestamp: '2026-11-16T10:00:00Z' };
const completed = { reason: 'Completed' };

interface Case {
  readonly name: string;
  readonly status: JsonObject;
  readonly spec?: JsonObject;
  readonly metadata?: JsonObject;
  readonly shows: string;
}

/** What a kube-apiserver 1.36 showed for the same pods. */
const cases: readonly Case[] = [
  {
    name: 'all containers run',
    status: { phase: 'Running', containerStatuses: [running('a'), running('b')] },
    shows: '2/2 Running',
  },
  { name: 'no node yet', status: { phase: 'Pending' }, shows: '0/2 Pending' },
  {
    name: 'containers are being made',
    status: { phase: 'Pending', containerStatuses: [waiting('a', 'ContainerCreating')] },
    shows: '0/2 ContainerCreating',
  },
  {
    name: 'all containers have completed',
    status: {
      phase: 'Succeeded',
      containerStatuses: [ended('a', 0, completed), ended('b', 0, completed)],
    },
    shows: '0/2 Completed',
  },
  {
    name: 'one has completed, one has failed',
    status: {
      phase: 'Failed',
      containerStatuses: [ended('a', 0, completed), ended('b', 1, { reason: 'Error' })],
    },
    shows: '0/2 Error',
  },
  {
    name: 'one has completed, the pod is not ready',
    status: { phase: 'Running', containerStatuses: [ended('a', 0, completed), running('b')] },
    shows: '1/2 NotReady',
  },
  {
    name: 'one has completed, the pod is ready',
    status: {
      phase: 'Running',
      conditions: [ready],
      containerStatuses: [ended('a', 0, completed), running('b')],
    },
    shows: '1/2 Running',
  },
  {
    name: 'killed by a signal',
    status: { phase: 'Failed', containerStatuses: [ended('a', 137, { signal: 9 }), running('b')] },
    shows: '1/2 Signal:9',
  },
  {
    name: 'ended without a word',
    status: { phase: 'Failed', containerStatuses: [ended('a', 2)] },
    shows: '0/2 ExitCode:2',
  },
  { name: 'evicted', status: { phase: 'Failed', reason: 'Evicted' }, shows: '0/2 Evicted' },
  {
    name: 'gated',
    status: {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    },
    shows: '0/2 SchedulingGated',
  },
  {
    name: 'the first init container runs',
    spec: twoInits,
    status: {
      phase: 'Pending',
      initContainerStatuses: [running('i1'), waiting('i2', 'PodInitializing')],
    },
    shows: '0/2 Init:0/2',
  },
  {
    name: 'the second init container waits',
    spec: twoInits,
    status: {
      phase: 'Pending',
      initContainerStatuses: [ended('i1', 0, completed), waiting('i2', 'PodInitializing')],
    },
    shows: '0/2 Init:1/2',
  },
  {
    name: 'an init container has failed',
    spec: twoInits,
    status: { phase: 'Pending', initContainerStatuses: [ended('i1', 1, { reason: 'Error' })] },
    shows: '0/2 Init:Error',
  },
  {
    name: 'an init container has failed without a word',
    spec: twoInits,
    status: { phase: 'Pending', initContainerStatuses: [ended('i1', 3)] },
    shows: '0/2 Init:ExitCode:3',
  },
  {
    name: 'the image of an init container cannot be had',
    spec: twoInits,
    status: { phase: 'Pending', initContainerStatuses: [waiting('i1', 'ImagePullBackOff')] },
    shows: '0/2 Init:ImagePullBackOff',
  },
  {
    name: 'init containers are done',
    spec: twoInits,
    status: {
      phase: 'Running',
      conditions: [initialized, ready],
      initContainerStatuses: [ended('i1', 0), ended('i2', 0)],
      containerStatuses: [running('a'), running('b')],
    },
    shows: '2/2 Running',
  },
  {
    name: 'a sidecar counts as a container',
    spec: sidecar,
    status: {
      phase: 'Running',
      conditions: [initialized, ready],
      initContainerStatuses: [running('i1', { started: true })],
      containerStatuses: [running('a'), running('b', { ready: false })],
    },
    shows: '2/3 Running',
  },
  {
    name: 'a sidecar has not started',
    spec: sidecar,
    status: { phase: 'Pending', initContainerStatuses: [running('i1', { started: false })] },
    shows: '0/3 Init:0/1',
  },
  {
    name: 'deletion was asked for',
    metadata: deleted,
    status: { phase: 'Running', containerStatuses: [running('a'), running('b')] },
    shows: '2/2 Terminating',
  },
  {
    name: 'deletion was asked for after completion',
    metadata: deleted,
    status: { phase: 'Succeeded', containerStatuses: [ended('a', 0, completed)] },
    shows: '0/2 Completed',
  },
  {
    name: 'deletion was asked for on a lost node',
    metadata: deleted,
    status: {
      phase: 'Running',
      reason: 'NodeLost',
      containerStatuses: [running('a'), running('b')],
    },
    shows: '2/2 Unknown',
  },
];

describe('READY and STATUS of a pod', () => {
  test.each(cases)('$name', ({ shows, ...parts }) => {
    const summary = summarizePod(aPod(parts));
    expect(`${summary.readyContainers}/${summary.totalContainers} ${summary.reason}`).toBe(shows);
  });
});

function cell(pod: JsonObject, column: string): Json | undefined {
  return podColumns.find(({ name }) => name === column)?.cell(pod, nowMs);
}

describe('other columns of a pod', () => {
  test('restarts tell how long ago the last one was', () => {
    const lastState = { terminated: { exitCode: 1, finishedAt: '2026-11-16T08:18:00Z' } };
    const crashing = waiting('a', 'CrashLoopBackOff', { restartCount: 4, lastState });
    const pod = aPod({ status: { phase: 'Running', containerStatuses: [crashing, running('b')] } });
    expect(cell(pod, 'Restarts')).toBe('4 (102m ago)');
    expect(cell(pod, 'Status')).toBe('CrashLoopBackOff');
  });

  test('restarts of init containers count only until they are done', () => {
    const initContainerStatuses = [waiting('i1', 'CrashLoopBackOff', { restartCount: 2 })];
    const before = aPod({ spec: twoInits, status: { phase: 'Pending', initContainerStatuses } });
    expect(cell(before, 'Restarts')).toBe('2');
    const done = [{ ...ended('i1', 0), restartCount: 2 }];
    const status = { phase: 'Running', conditions: [initialized], initContainerStatuses: done };
    expect(cell(aPod({ spec: twoInits, status }), 'Restarts')).toBe('0');
  });

  test('wide columns say <none> where there is nothing', () => {
    const pod = aPod({ status: { phase: 'Pending' } });
    const wide = podColumns.filter((column) => column.priority > 0);
    expect(wide.map((column) => column.cell(pod, nowMs))).toEqual(Array(4).fill('<none>'));
  });

  test('readiness gates count the conditions that hold', () => {
    const readinessGates = [{ conditionType: 'x/a' }, { conditionType: 'x/b' }];
    const conditions = [{ type: 'x/a', status: 'True' }];
    const pod = aPod({ spec: { readinessGates }, status: { phase: 'Running', conditions } });
    expect(cell(pod, 'Readiness Gates')).toBe('1/2');
  });
});
