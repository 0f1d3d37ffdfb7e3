import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Outcome, outcomeOf } from '../processes.ts';
import { huge, inflate, misspelt } from './manifests.ts';

const folder = mkdtempSync(join(tmpdir(), 'karpenter-plan-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function plan(...args: readonly string[]): Promise<Outcome> {
  return outcomeOf(['bin/karpenter', 'plan', ...args]);
}

describe('karpenter plan', () => {
  test('tells what three pods cost, from the pools of karpenter start', async () => {
    const { code, stdout } = await plan('-f', file('inflate.yaml', inflate));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Plan for us-west-2/);
    expect(stdout).toMatch(
      /^ {2}1 × \S+ +spot +us-west-2[a-d] +\$0\.\d{4}\/h +3 pods +spot-pool: \d+ types allowed, \$0\.\d{4}\/h to \$0\.\d{4}\/h$/m,
    );
    expect(stdout).toMatch(/^ {2}Deployment default\/inflate +3 pods +on 1 new node$/m);
    expect(stdout).toMatch(/^1 new node: \$0\.\d{4}\/h, \$\d+\.\d\d a month of 730 h; /m);
    expect(stdout).toMatch(
      /No NodePool is given: spot-pool and ondemand-pool of karpenter start are used\./,
    );
  });

  test('prints the same bytes for the same manifests, from a file and from stdin', async () => {
    const flags = ['--region', 'eu-west-1', '--output', 'json'];
    const first = await plan('-f', file('same.yaml', inflate), ...flags);
    const command = ['bin/karpenter', 'plan', '-f', '-', ...flags];
    const second = await outcomeOf(command, { stdin: inflate });
    expect(first.code).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    const report = JSON.parse(first.stdout);
    expect(report).toMatchObject({
      region: 'eu-west-1',
      nodes: [{ count: 1, nodePool: 'spot-pool', capacityType: 'spot', pods: 3 }],
      workloads: [
        {
          ...{ kind: 'Deployment', name: 'default/inflate', pods: 3 },
          ...{ onNewNodes: 3, onOtherNodes: 0, newNodes: 1 },
        },
      ],
      unplaced: [],
      ignored: [],
    });
    const { usdPerHour, usdPerMonth } = report.cost;
    expect(usdPerHour).toBe(report.nodes[0].usdPerHour);
    expect(usdPerMonth).toBeCloseTo(usdPerHour * 730, 2);
  });

  test('ends with 2 where pods have no place, and says why once for each workload', async () => {
    const path = file('huge.yaml', `${inflate}---\n${huge}`);
    const { code, stdout } = await plan('-f', path);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ {2}Deployment default\/inflate +3 pods +on 1 new node$/m);
    expect(stdout).toMatch(/^ {2}Deployment shop\/huge +2 pods +without a place$/m);
    expect(stdout.match(/the pod asks for 500 cores/g)).toHaveLength(2);
    expect(stdout).toMatch(/^ {2}Deployment shop\/huge \(2 pods\): NodePool spot-pool: /m);
    expect(stdout).toMatch(/^ {4}It would help to lower the pod's cpu request from 500 cores to /m);
  });

  test('ends with 1 where a manifest is refused, and names file, line, object and field', async () => {
    const path = file('wrong.yaml', misspelt);
    const { code, stdout, stderr } = await plan('-f', path);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`${path}:5: Deployment web: `);
    expect(stderr).toContain('unknown field "spec.replica"');
  });

  test.each([
    { what: 'no file', args: [], says: /required option '-f, --filename/ },
    {
      what: 'a file that is not there',
      args: ['-f', join(folder, 'nowhere.yaml')],
      says: /^karpenter plan: \S+nowhere.yaml does not exist$/m,
    },
    {
      what: 'broken YAML',
      args: ['-f', file('broken.yaml', 'kind: Pod\nmetadata: [\n')],
      says: /broken\.yaml:\d: cannot be read: /,
    },
    {
      what: 'a template',
      args: ['-f', file('template.yaml', 'kind: Pod\n{{- if .Values.x }}\n')],
      says: /template\.yaml:\d: cannot be read: .*; a template must be rendered first/,
    },
    {
      what: 'a region that nobody knows',
      args: ['-f', file('any.yaml', inflate), '--region', 'mars-1'],
      says: /unknown region mars-1; known are .*us-west-2/,
    },
  ])('ends with 1 and a sentence for $what', async ({ args, says }) => {
    const { code, stdout, stderr } = await plan(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(says);
  });
});
