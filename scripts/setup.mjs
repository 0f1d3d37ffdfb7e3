// Makes a checkout ready to run: locked dependencies installed, sources compiled. Does nothing when
// both are current, so that it can stand in front of every command.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Installs and builds what is missing or stale. Progress goes to stderr. */
export async function setUp() {
  refuseOldNode();
  await once({
    step: 'install',
    stamp: dependencyStamp(),
    result: 'node_modules/.bin/tsc',
    action: install,
  });
  await once({ step: 'build', stamp: sourceStamp(), result: 'dist/cli/main.js', action: build });
}

/** The same, but builds whatever was built before. */
export async function rebuild() {
  rmSync(stampFile('build'), { force: true });
  await setUp();
}

/** Runs a command in the checkout; rejects with its exit code in words when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: options.stdio ?? ['ignore', 2, 2],
      env: { ...process.env, ...options.env },
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${code}`}`),
        );
    });
  });
}

/** The path of a command that a locked dependency brings along. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', name);
}

/** Compiles the sources and bundles the console into dist/. */
async function build() {
  // What an earlier build left of files that have since been renamed must not be found.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await run(tool('tsc'), ['-b', 'src/cli']);
  await run(tool('vite'), ['build', 'console', '--logLevel', 'warn']);
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node ${process.versions.node} is too old: install Node 20.19 or newer`);
}

async function install() {
  // npm_execpath is the npm that started us; plain `npm` is for those who run bin/karpenter itself.
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  // Set-up needs the development dependencies even where NODE_ENV says production.
  const options = { env: { NODE_ENV: 'development' } };
  if (npm?.endsWith('.js')) await run(process.execPath, [npm, ...args], options);
  else await run('npm', args, options);
}

/** Does a step unless its stamp is the same as last time and its result is still there. */
async function once({ step, stamp, result, action }) {
  const file = stampFile(step);
  const isDone = existsSync(join(root, result)) && existsSync(file);
  if (isDone && readFileSync(file, 'utf8') === stamp) return;
  const started = process.hrtime.bigint();
  process.stderr.write(`set-up: ${step} …\n`);
  await action();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stamp);
  const seconds = Number(process.hrtime.bigint() - started) / 1e9;
  process.stderr.write(`set-up: ${step} done in ${seconds.toFixed(1)} s\n`);
}

function stampFile(step) {
  return join(root, 'node_modules', `.${step}-stamp`);
}

function dependencyStamp() {
  return hash([readFileSync(join(root, 'package-lock.json'), 'utf8'), process.version]);
}

/** Names, sizes and times of everything that the build reads. */
function sourceStamp() {
  const inputs = ['src', 'console', 'tsconfig.base.json', 'package-lock.json'];
  const files = inputs.flatMap((name) => filesBelow(join(root, name)));
  return hash(
    files
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => {
        const { size, mtimeMs } = statSync(file);
        return `${file} ${size} ${mtimeMs}`;
      }),
  );
}

function filesBelow(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
}

function hash(parts) {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUp();
