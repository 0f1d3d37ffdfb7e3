#!/usr/bin/env node
// Runs the original engine and ours over the same scenarios in one sitting and prints tables: ratios, speed, answers.
// An engine is any command that takes what go-anchor takes and prints the same JSON. The first one is the anchor.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { misused, readCommandLine, wholeNumber } from '../scripts/command-line.mjs';
import { anchorPath } from './anchor.mjs';
import { differences, ratioRow, rowsOf, table } from './compare/tables.mjs';
import { fromCatalog } from './kwok-types.mjs';
import { readTypes } from './workloads/types.mjs';
import { families, generate, render } from './workloads.mjs';

const usage = `npm run bench:compare -- [flags]

  --families web,diverse     of which pods (all families)
  --sizes 500,2000           how many of them (500,2000; of running clusters 100 nodes)
  --seeds 1,2                which of the random scenarios (1)
  --runs N                   repetitions of every solve (3)
  --limit SECONDS            the longest that one solve may take (300)
  --command solve|consolidate|converge
  --types FILE               instance types (those of the EC2 catalogue in us-west-2)
  --args="--workers 2"       more arguments for every engine
  --tag NAME                 becomes part of the name of the file of results
  --results DIR              where that file goes (bench/results)
  --engine NAME=COMMAND      an engine, several times: the first is the anchor (the original and ours)`;

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
  if (at < 1) misused(`--engine wants name=command, got ${text}`, usage);
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
  const unknown = wanted.find((family) => families[family] === undefined);
  if (unknown !== undefined)
    misused(`there is no family ${unknown}: ${Object.keys(families).join(', ')}`, usage);
  const sizes = numbersOf('sizes', values.sizes ?? (command === 'solve' ? '500,2000' : '100'));
  const seeds = numbersOf('seeds', values.seeds);
  return wanted.flatMap((family) =>
    sizes.flatMap((size) =>
      seeds.map((seed) => {
        const label = seeds.length > 1 ? `${family} ${size} seed ${seed}` : `${family} ${size}`;
        return { command, family, size, seed, label };
      }),
    ),
  );
}

function numbersOf(flag, text) {
  return text.split(',').map((part) => wholeNumber(`--${flag}`, part, usage));
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
  const { values } = readCommandLine(usage, {
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
  if (rowsOf[values.command] === undefined)
    misused(`there is no command ${values.command}: ${Object.keys(rowsOf).join(', ')}`, usage);
  const jobs = jobsOf(values);
  const [runs] = numbersOf('runs', values.runs);
  const [limit] = numbersOf('limit', values.limit);
  const engines = values.engine?.map(parseEngine) ?? defaultEngines();
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  try {
    const types = typesFile(values.types, folder);
    const options = {
      folder,
      types,
      read: readTypes(types),
      runs,
      limit,
      args: values.args.split(' ').filter(Boolean),
    };
    const done = jobs.map((job) => compareOne(job, engines, options));
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
