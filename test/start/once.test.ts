import { expect, test } from 'vitest';
import { runProgram } from '../processes.ts';

test('start --once plays the story, leaves nothing behind and reports it as one JSON object', async () => {
  const output = await runProgram([
    'bin/karpenter',
    'start',
    '--once',
    '--output',
    'json',
    '--port',
    '0',
  ]);
  expect(output.trim().split('\n')).toHaveLength(1);
  const report = JSON.parse(output);
  expect(report.pods.running).toBe(200);
  expect(report.nodes.launched).toBeGreaterThan(0);
  expect(report.nodes.left).toBe(0);
  expect(report.claims.left).toBe(0);
  expect(report.instances.left).toBe(0);
  expect(report.launchTemplates.left).toBe(0);
  expect(report.cost.usd).toBeGreaterThan(0);
  expect(report.seconds.toFirstClaim).toBeLessThan(report.seconds.toAllRunning);
  expect(report.seconds.toAllRunning).toBeLessThan(report.seconds.total);
  expect(report.decisions.NodeOrdered).toBe(report.nodes.launched);
}, 180_000);

test('a wrong flag is refused with its name and a way to learn more', async () => {
  await expect(runProgram(['bin/karpenter', 'start', '--speed', 'fast'])).rejects.toThrow(
    /--speed.*number above 0/s,
  );
  await expect(runProgram(['bin/karpenter', 'start', '--sped', '3'])).rejects.toThrow(/--speed/);
});

test('the controller says what is missing when it cannot find its cluster or its region', async () => {
  const nowhere = {
    HOME: '/nonexistent',
    KUBECONFIG: undefined,
    AWS_REGION: undefined,
    CLUSTER_NAME: undefined,
  };
  await expect(runProgram(['bin/karpenter', 'controller'], nowhere)).rejects.toThrow(
    /cluster-name/,
  );
  await expect(
    runProgram(['bin/karpenter', 'controller', '--cluster-name=x'], nowhere),
  ).rejects.toThrow(/kubeconfig/i);
});

test('a controller whose flags are wrong does not start, and says what to write instead', async () => {
  const controller = ['bin/karpenter', 'controller', '--cluster-name=x', '--region=us-east-1'];
  await expect(runProgram([...controller, '--caution=-1'])).rejects.toThrow(
    /--caution.*give a number, 0 or more/s,
  );
  await expect(
    runProgram(controller, { SCHEDULER_CONFIG: 'podTopologySpread: {defaultConstraints: [{}]}' }),
  ).rejects.toThrow(/SCHEDULER_CONFIG.*\[0\]\.maxSkew must be a whole number above 0/s);
  await expect(runProgram([...controller, '--scheduler-config', 'scheduler.yaml'])).rejects.toThrow(
    /--scheduler-config.*give the YAML itself, not the name of a file/s,
  );
});
