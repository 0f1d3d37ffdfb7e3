#!/usr/bin/env node
// Prints a scenario: a Kubernetes List that both engines read. The same arguments give the same bytes.

import { writeFileSync } from 'node:fs';
import { misused, readCommandLine, wholeNumber } from '../scripts/command-line.mjs';
import { list, namespace, nodePool } from './workloads/objects.mjs';
import {
  antiAffinity,
  constrained,
  diverse,
  identical,
  preferences,
  spreadXl,
  stateful,
  web,
} from './workloads/pending.mjs';
import { createRandom } from './workloads/random.mjs';
import { fragmented, steady } from './workloads/running.mjs';
import { readTypes, zonesOf } from './workloads/types.mjs';

const usage = `node bench/workloads.mjs --family F [flags]

  --family F       which kind of pods or cluster
  --pods N         pending pods (500)
  --nodes N        nodes of a running cluster (100)
  --seed N         which of the random scenarios (1)
  --types FILE     instance types; families of running clusters need them
  --budget B       the pool's disruption budget (100%)
  --out FILE       write there instead of standard output`;

export const families = {
  diverse,
  identical,
  web,
  preferences,
  constrained,
  stateful,
  steady,
  fragmented,
  'anti-affinity': antiAffinity,
  'spread-xl': spreadXl,
};

const RUNNING = ['steady', 'fragmented'];
const GENERIC_ZONES = ['test-zone-a', 'test-zone-b', 'test-zone-c', 'test-zone-d'];

// types: what readTypes returns. Running families need it; pending ones use only its zones and whether labels are AWS's.
export function generate({ family, pods, nodes = 100, seed = 1, types, budget = '100%' }) {
  const make = families[family];
  if (!make)
    throw new Error(`unknown family ${family}; known: ${Object.keys(families).join(', ')}`);
  if (RUNNING.includes(family) && !types) throw new Error(`family ${family} needs --types`);
  const random = createRandom(seed);
  const zones = types ? zonesOf(types) : GENERIC_ZONES;
  const awsLabels = Boolean(types?.some((t) => t.labels['karpenter.k8s.aws/instance-category']));
  const { objects = [], pods: made } = make({ random, pods, nodes, types, zones, awsLabels });
  return list([
    namespace('default'),
    namespace('kube-system'),
    nodePool({ budget, awsLabels }),
    ...objects,
    ...made,
  ]);
}

// One object per line, so that two scenarios can be compared with ordinary tools.
export function render(scenario) {
  const lines = scenario.items.map((item) => JSON.stringify(item)).join(',\n');
  return `{"apiVersion":"v1","kind":"List","items":[\n${lines}\n]}\n`;
}

function main() {
  const { values } = readCommandLine(usage, {
    options: {
      family: { type: 'string' },
      pods: { type: 'string' },
      nodes: { type: 'string' },
      seed: { type: 'string', default: '1' },
      types: { type: 'string' },
      budget: { type: 'string', default: '100%' },
      out: { type: 'string' },
    },
  });
  const number = (flag) =>
    values[flag] === undefined ? undefined : wholeNumber(`--${flag}`, values[flag], usage);
  const { family } = values;
  if (families[family] === undefined)
    misused(`--family wants one of ${Object.keys(families).join(', ')}`, usage);
  const running = RUNNING.includes(family);
  if (running && values.types === undefined) misused(`family ${family} needs --types`, usage);
  const text = render(
    generate({
      family,
      seed: number('seed'),
      budget: values.budget,
      pods: number('pods') ?? (running ? undefined : 500),
      nodes: number('nodes'),
      types: values.types ? readTypes(values.types) : undefined,
    }),
  );
  // The stream waits for a slow reader, where writing to the descriptor of a full pipe fails.
  if (values.out === undefined) process.stdout.write(text);
  else writeFileSync(values.out, text);
}

if (import.meta.main ?? process.argv[1]?.endsWith('workloads.mjs')) main();
