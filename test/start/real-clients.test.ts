import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, runProgram } from '../processes.ts';
import { findTool } from '../tools.ts';
import { type RunningStart, runStart } from './running-start.ts';

const kubectlPath = findTool('KUBECTL', 'kubectl');
const awsPath = findTool('AWS_CLI', 'aws');

describe.skipIf(kubectlPath === undefined)(
  'kubectl beside a running start (needs kubectl on the PATH)',
  () => {
    let start: RunningStart;
    const kubectl = (...args: string[]): Promise<string> =>
      runProgram([kubectlPath ?? '', ...args], start.env);

    beforeAll(async () => {
      start = await runStart('--no-story');
      await eventually(
        'the pools are ready',
        async () =>
          (await kubectl(
            'get',
            'nodepools',
            '-o',
            'jsonpath={.items[*].status.conditions[?(@.type=="Ready")].status}',
          )) === 'True True',
      );
    });
    afterAll(() => start?.process.end());

    test('a deployment is created, scaled, watched, waited for, described and deleted', async () => {
      await kubectl('create', 'deploy', 'web', '--image=nginx', '--replicas=3');
      await kubectl('scale', 'deploy', 'web', '--replicas=5');
      await kubectl('wait', '--for=condition=Available', 'deploy/web', '--timeout=60s');
      const wide = await kubectl(
        'get',
        'nodes,pods,nodepools,nodeclaims,ec2nodeclasses',
        '-o',
        'wide',
      );
      expect(wide).toMatch(/nodepool\.karpenter\.sh\/spot-pool\s+default\s+1\s+True/);
      expect(wide).toMatch(
        /nodeclaim\.karpenter\.sh\/spot-pool-\S+\s+\S+\s+spot\s+us-west-2\w\s+ip-\S+\s+True/,
      );
      expect(wide.match(/pod\/web-\S+\s+1\/1\s+Running/g)).toHaveLength(5);
      const story = await kubectl('describe', 'nodeclaim');
      for (const word of ['Launched', 'Registered', 'Initialized', 'Provider ID', 'Events:'])
        expect(story).toContain(word);
      const watched = await kubectl('get', 'pods', '-w', '--request-timeout=2s').catch(
        (error: Error) => error.message,
      );
      expect(watched).toContain('web-');
      await kubectl('delete', 'deploy', 'web');
      await kubectl('wait', '--for=delete', 'nodeclaim', '--all', '--timeout=90s');
      expect(await kubectl('get', 'nodes', '-o', 'name')).toMatch(/^(node\/ip-\S+\n){2}$/);
    });

    test('a NodePool is applied from the server side', async () => {
      const file = new URL('../cluster/manifests/karpenter.yaml', import.meta.url).pathname;
      expect(await kubectl('apply', '--server-side', '--force-conflicts', '-f', file)).toContain(
        'nodepool.karpenter.sh/spot-pool serverside-applied',
      );
    });

    test.skipIf(awsPath === undefined)(
      'the AWS CLI finds instances by the tag of their pool (needs aws on the PATH)',
      async () => {
        await kubectl('create', 'deploy', 'tagged', '--image=nginx', '--replicas=2');
        await kubectl('wait', '--for=condition=Available', 'deploy/tagged', '--timeout=60s');
        const filters = [
          'Name=tag:karpenter.sh/nodepool,Values=spot-pool',
          'Name=instance-state-name,Values=running,pending',
        ];
        const query = ['--query', 'Reservations[*].Instances[*].InstanceId', '--output', 'text'];
        const ids = await runProgram(
          [awsPath ?? '', 'ec2', 'describe-instances', '--filters', ...filters, ...query],
          start.env,
        );
        expect(ids.trim()).toMatch(/^i-[0-9a-f]{17}$/);
        await kubectl('delete', 'deploy', 'tagged');
      },
    );
  },
);
