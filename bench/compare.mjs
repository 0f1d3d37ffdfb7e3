#!/usr/bin/env node
// Runs the original engine and ours over the same scenarios in one sitting and prints tables: ratios, speed, answers.
// An engine is any command that takes what go-anchor takes and prints the same JSON. The first one is the anchor.
//
//   npm run bench:compare -- [--families web,diverse] [--sizes 500,2000] [--seeds 1,2] [--runs 3] [--limit 300]
//        [--command solve|consolidate|converge] [--types FILE] [--args="--workers 2"] [--tag NAME] [--results DIR]
//        [--engine anchor=PATH --engine ours="npm run --silent bench --"]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { anchorPath } from './anchor.mjs';
import { differences, ratioRow, rowsOf, table } from './compare/tables.mjs';
import { fromCatalog } from './kwok-types.mjs';
import { readTypes } from './workloads/types.mjs';
import { families, generate, render } from './workloads.mjs';

const RUNNING = ['steady', 'fragmented'];
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

function defaultEngines() {
  return [
    { name: 'anchor', command: [anchorPath()] },
    { name: 'ours', command: [process.execPath, here('./run.mjs')] },
  ];
}

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

function jobsOf(values) {
  const command = values.command;
  const wanted =
    values.families?.split(',') ??
    Object.keys(families).filter((f) => RUNNING.includes(f) === (command !== 'solve'));
  const sizes = (values.sizes ?? (command === 'solve' ? '500,2000' : '100')).split(',').map(Number);
  const seeds = values.seeds.split(',').map(Number);
  return wanted.flatMap((family) =>
    sizes.flatMap((size) =>
      seeds.map((seed) => {
        const label = seeds.length > 1 ? `${family} ${size} seed ${seed}` : `${family} ${size}`;
        return { command, family, size, seed, label };
      }),
    ),
  );
}

// Everything but the names of pods: a result is kept in the repository.
function summaryOf(result) {
  const { new_nodes: _, unschedulable: __, ...rest } = result;
  return rest;
}

function compareOne(job, engines, options) {
  const count = RUNNING.includes(job.family) ? { nodes: job.size } : { pods: job.size };
  const scenario = join(options.folder, 'scenario.json');
  const { family, seed } = job;
  writeFileSync(scenario, render(generate({ family, seed, types: options.read, ...count })));
  const results = engines.map((engine) => {
    const result = runEngine(engine, job, scenario, options);
    if (result)
      for (const row of rowsOf[job.command](job.label, engine.name, result))
        process.stderr.write(`${JSON.stringify(row)}\n`);
    return result;
  });
  return { job, results };
}

function report(done, engines) {
  const rows = done.flatMap(({ job, results }) =>
    results.flatMap((result, i) =>
      result ? rowsOf[job.command](job.label, engines[i].name, result) : [],
    ),
  );
  const pairs = done.flatMap(({ job, results: [anchor, ...others] }) =>
    others.flatMap((other, i) =>
      anchor && other ? [{ job, anchor, other, name: engines[i + 1].name }] : [],
    ),
  );
  const ratios = pairs
    .filter(({ job }) => job.command === 'solve')
    .map(({ job, anchor, other }) => ratioRow(job.label, anchor, other));
  const notes = pairs.map(
    ({ job, anchor, other, name }) =>
      `${job.label}, ${name}: ${differences(job, anchor, other).join('; ')}`,
  );
  const text = [rows, ratios].filter((part) => part.length > 0).map(table);
  process.stdout.write(`${[...text, notes.join('\n')].join('\n\n')}\n`);
  return ratios;
}

function write(values, done, parts) {
  mkdirSync(parts.results, { recursive: true });
  const file = join(
    parts.results,
    `${['compare', values.command, values.tag].filter(Boolean).join('-')}.json`,
  );
  const content = {
    command: values.command,
    machine: { cpu: cpus()[0]?.model.trim(), cpus: cpus().length, node: process.version },
    ratios: parts.ratios,
    results: done.map(({ job, results }) => ({
      ...job,
      engines: Object.fromEntries(
        results.map((result, i) => [parts.engines[i].name, result && summaryOf(result)]),
      ),
    })),
  };
  writeFileSync(file, `${JSON.stringify(content, null, 1)}\n`);
  process.stderr.write(`written to ${file}\n`);
}

// Without --types, those of the EC2 catalogue in us-west-2.
function typesFile(given, folder) {
  if (given) return given;
  const catalog = JSON.parse(readFileSync(here('../data/ec2-catalog.json'), 'utf8'));
  const file = join(folder, 'types.json');
  writeFileSync(file, JSON.stringify(fromCatalog(catalog)));
  return file;
}

function main() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string', multiple: true },
      types: { type: 'string' },
      command: { type: 'string', default: 'solve' },
      families: { type: 'string' },
      sizes: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      runs: { type: 'string', default: '3' },
      args: { type: 'string', default: '' },
      results: { type: 'string', default: here('./results') },
      limit: { type: 'string', default: '300' },
      tag: { type: 'string', default: '' },
    },
  });
  const engines = values.engine?.map(parseEngine) ?? defaultEngines();
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  try {
    const types = typesFile(values.types, folder);
    const options = {
      folder,
      types,
      read: readTypes(types),
      runs: Number(values.runs),
      limit: Number(values.limit),
      args: values.args.split(' ').filter(Boolean),
    };
    const done = jobsOf(values).map((job) => compareOne(job, engines, options));
    const ratios = report(done, engines);
    write(values, done, { engines, ratios, results: values.results });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main();
  } catch (error) {
    process.stderr.write(`bench:compare: ${error.message}\n`);
    process.exitCode = 1;
  }
}
