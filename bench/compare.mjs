#!/usr/bin/env node
// Runs one or more engines over the same scenarios in one sitting and prints tables: speed, quality, answers.
// An engine is any command that takes what go-anchor takes and prints the same JSON. The first one is the anchor.
//
//   node compare.mjs --engine go-anchor=PATH [--engine ts="node dist/bench.js"] --types FILE
//        [--command solve|consolidate|converge] [--families web,diverse] [--sizes 500,2000] [--seed 1] [--runs 3]
//        [--args="--workers 2"] [--results DIR] [--tag NAME] [--limit 300]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTypes } from './workloads/types.mjs';
import { families, generate, render } from './workloads.mjs';

const RUNNING = ['steady', 'fragmented'];
const round = (value, digits = 1) =>
  value === undefined || value === null ? '' : Number(value.toFixed(digits));

function parseEngine(text) {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`--engine wants name=command, got ${text}`);
  return { name: text.slice(0, at), command: text.slice(at + 1).split(' ') };
}

// The limit holds for the solve alone, as upstream's does; what comes before and after it gets twice as much again.
function runEngine(engine, job, scenario, options) {
  const args = [
    ...engine.command.slice(1),
    job.command,
    '--scenario',
    scenario,
    '--instance-types',
    options.types,
    ...(job.command === 'solve'
      ? ['--runs', String(options.runs), '--solve-timeout', `${options.limit}s`]
      : []),
    ...options.args,
  ];
  const seconds = job.command === 'solve' ? options.limit * options.runs * 3 : 3600;
  const done = spawnSync(engine.command[0], args, {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    timeout: seconds * 1000,
  });
  if (done.status === 0) return JSON.parse(done.stdout);
  process.stderr.write(
    `${engine.name} failed on ${job.label}: ${done.stderr || done.error || done.signal}\n`,
  );
  return undefined;
}

function solveRow(label, engine, r) {
  return {
    scenario: label,
    engine,
    'pods/s': round(r.pods_per_second),
    'solve ms min': round(r.solve_ms.min, 0),
    median: round(r.solve_ms.median, 0),
    'cpu ms': round(r.solve_cpu_ms?.min, 0),
    'set-up ms': round(r.setup_ms.min, 0),
    'truncate ms': round(r.truncate_ms?.min, 0),
    'pods/s in all': round(r.total_pods_per_second),
    nodes: r.new_node_count,
    '$/h': round(r.cost_per_hour, 3),
    refused: r.unschedulable_count,
    undecided: r.undecided,
    'alloc MiB': round(r.solve_allocated_mib, 0),
    'rss MiB': round(r.machine?.max_rss_mib, 0),
    load: r.machine?.load_average_1m,
  };
}

function consolidateRows(label, engine, r) {
  return r.methods.map((m) => ({
    scenario: label,
    engine,
    method: m.method,
    candidates: m.candidates,
    'looked at': m.simulations,
    'wall ms': round(m.wall_ms, 0),
    'ms each': round(m.ms_per_simulation),
    'cpu ms each': m.simulations ? round(m.compute_cpu_ms / m.simulations) : '',
    'per s': m.ms_per_simulation ? round(1000 / m.ms_per_simulation, 2) : '',
    'timed out': m.timed_out,
    commands: m.command_count,
    removed: m.commands?.reduce((sum, c) => sum + c.removed.length, 0) ?? 0,
    'saves $/h': round(m.savings_per_hour, 3),
    'of $/h': round(r.cost_per_hour, 3),
    'rss MiB': round(r.machine?.max_rss_mib, 0),
    load: r.machine?.load_average_1m,
  }));
}

function convergeRow(label, engine, r) {
  return {
    scenario: label,
    engine,
    rounds: r.rounds,
    evictions: r.evictions,
    launches: r.launches,
    terminations: r.terminations,
    'compute s': round(r.compute_ms / 1000),
    simulations: r.simulations,
    stopped: r.stopped,
    'nodes before': r.before.nodes,
    after: r.after.nodes,
    '$/h before': round(r.before.cost_per_hour, 3),
    '$/h after': round(r.after.cost_per_hour, 3),
    load: r.machine?.load_average_1m,
  };
}

const rowsOf = {
  solve: (label, engine, r) => [solveRow(label, engine, r)],
  consolidate: consolidateRows,
  converge: (label, engine, r) => [convergeRow(label, engine, r)],
};

// How an engine's answer differs from the anchor's. Error texts may differ; who is refused may not.
function differences(job, anchor, other) {
  if (job.command !== 'solve') return [];
  const a = new Set(Object.keys(anchor.unschedulable));
  const b = new Set(Object.keys(other.unschedulable));
  const onlyAnchor = [...a].filter((p) => !b.has(p));
  const onlyOther = [...b].filter((p) => !a.has(p));
  return [
    `speed x${round(other.pods_per_second / anchor.pods_per_second, 2)}`,
    `cost x${round(other.cost_per_hour / anchor.cost_per_hour, 4)}`,
    `nodes ${other.new_node_count} against ${anchor.new_node_count}`,
    onlyAnchor.length
      ? `places ${onlyAnchor.length} pods the anchor refuses, e.g. ${onlyAnchor[0]}`
      : '',
    onlyOther.length
      ? `refuses ${onlyOther.length} pods the anchor places, e.g. ${onlyOther[0]}`
      : '',
  ].filter(Boolean);
}

function table(rows) {
  const columns = Object.keys(rows[0]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((c) => row[c] ?? ''))),
  ].join('\n');
}

function jobsOf(values) {
  const command = values.command;
  const wanted =
    values.families?.split(',') ??
    Object.keys(families).filter((f) => RUNNING.includes(f) === (command !== 'solve'));
  const sizes = (values.sizes ?? (command === 'solve' ? '500,2000' : '100')).split(',').map(Number);
  return wanted.flatMap((family) =>
    sizes.map((size) => ({ command, family, size, label: `${family} ${size}` })),
  );
}

function main() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', multiple: true },
      types: { type: 'string' },
      command: { type: 'string', default: 'solve' },
      families: { type: 'string' },
      sizes: { type: 'string' },
      seed: { type: 'string', default: '1' },
      runs: { type: 'string', default: '3' },
      args: { type: 'string', default: '' },
      results: { type: 'string' },
      limit: { type: 'string', default: '300' },
      tag: { type: 'string', default: '' },
    },
  });
  if (!values.engine || !values.types) throw new Error('compare needs --engine and --types');
  const engines = values.engine.map(parseEngine);
  const options = {
    types: values.types,
    runs: Number(values.runs),
    limit: Number(values.limit),
    args: values.args.split(' ').filter(Boolean),
  };
  const types = readTypes(values.types);
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  const rows = [];
  const notes = [];
  try {
    for (const job of jobsOf(values)) {
      const scenario = join(folder, 'scenario.json');
      const count = RUNNING.includes(job.family) ? { nodes: job.size } : { pods: job.size };
      writeFileSync(
        scenario,
        render(generate({ family: job.family, seed: Number(values.seed), types, ...count })),
      );
      const results = engines.map((engine) => {
        const result = runEngine(engine, job, scenario, options);
        if (!result) {
          notes.push(`${job.label}, ${engine.name}: failed`);
          return undefined;
        }
        if (values.results) {
          mkdirSync(values.results, { recursive: true });
          const file = [engine.name, job.command, job.family, job.size, values.tag]
            .filter(Boolean)
            .join('-');
          writeFileSync(join(values.results, `${file}.json`), `${JSON.stringify(result)}\n`);
        }
        const made = rowsOf[job.command](job.label, engine.name, result);
        for (const row of made) process.stderr.write(`${JSON.stringify(row)}\n`);
        rows.push(...made);
        return result;
      });
      for (let i = 1; i < engines.length; i++)
        if (results[0] && results[i])
          notes.push(
            `${job.label}, ${engines[i].name}: ${differences(job, results[0], results[i]).join('; ')}`,
          );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(
    `${rows.length ? table(rows) : ''}\n${notes.length ? `\n${notes.join('\n')}\n` : ''}`,
  );
}

if (import.meta.main ?? process.argv[1]?.endsWith('compare.mjs')) main();
