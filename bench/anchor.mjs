#!/usr/bin/env node
// Builds the original's engine (bench/go-anchor) into ~/.cache/karpenter-ts/bin, unless a build of the same sources is
// there, and prints its path.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('./go-anchor/', import.meta.url));
const cache = join(homedir(), '.cache', 'karpenter-ts', 'bin');
const binary = join(cache, 'go-anchor');
const stamp = join(cache, 'go-anchor.sources');

/** The path of the anchor; throws a sentence that says what to do where it cannot be built. */
export function anchorPath() {
  const wanted = hashOf(sources);
  const known = existsSync(binary) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (known === wanted) return binary;
  mkdirSync(cache, { recursive: true });
  process.stderr.write('building bench/go-anchor, a minute the first time …\n');
  const done = spawnSync('go', ['build', '-o', binary, '.'], {
    cwd: sources,
    env: { ...process.env, GOTOOLCHAIN: 'auto', GOFLAGS: '-mod=mod' },
    encoding: 'utf8',
  });
  if (done.error?.code === 'ENOENT')
    throw new Error('Go is missing: install Go 1.25 or newer to compare with the original engine');
  if (done.status !== 0) throw new Error(`go build failed:\n${done.stderr || done.error}`);
  writeFileSync(stamp, wanted);
  return binary;
}

function hashOf(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort())
    if (/\.go$|^go\.(mod|sum)$/.test(name))
      hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.stdout.write(`${anchorPath()}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
