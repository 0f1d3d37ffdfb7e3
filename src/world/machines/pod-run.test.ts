import { expect, test } from 'vitest';
import { podEnd } from './pod-run.ts';

test.each([
  {
    name: 'a pod that is restarted never ends',
    policy: 'Always',
    command: ['sleep', '5'],
    end: undefined,
  },
  {
    name: 'a sleep ends well',
    policy: 'Never',
    command: ['sleep', '5'],
    end: { afterMs: 5000, exitCode: 0 },
  },
  {
    name: 'also inside a shell, with an exit code',
    policy: 'Never',
    command: ['sh', '-c', 'sleep 2; exit 3'],
    end: { afterMs: 2000, exitCode: 3 },
  },
  {
    name: 'several sleeps add up',
    policy: 'OnFailure',
    command: ['sh', '-c', 'sleep 2 && sleep 0.5'],
    end: { afterMs: 2500, exitCode: 0 },
  },
  {
    name: 'an endless sleep does not end',
    policy: 'Never',
    command: ['sleep', 'infinity'],
    end: undefined,
  },
  {
    name: 'a failure that is retried in place does not end',
    policy: 'OnFailure',
    command: ['sh', '-c', 'exit 1'],
    end: undefined,
  },
  { name: 'a server does not end', policy: 'Never', command: ['nginx'], end: undefined },
  {
    name: 'an echo ends at once',
    policy: 'Never',
    command: ['echo', 'hello'],
    end: { afterMs: 0, exitCode: 0 },
  },
])('$name', ({ policy, command, end }) => {
  const pod = {
    metadata: { name: 'one' },
    spec: { restartPolicy: policy, containers: [{ name: 'main', command }] },
  };
  expect(podEnd(pod)).toEqual(end);
});

test('an annotation says how long a pod runs', () => {
  const pod = {
    metadata: { name: 'one', annotations: { 'world.karpenter.sh/run-seconds': '7' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main' }] },
  };
  expect(podEnd(pod)).toEqual({ afterMs: 7000, exitCode: 0 });
});
