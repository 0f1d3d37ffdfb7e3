import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { compareText } from '../../core/text-order.ts';

/** A file as it was given on the command line or found in a folder. */
export interface Source {
  /** What messages call it. */
  readonly name: string;
  /** Its path below the folder that was given; its own name for a file, undefined for stdin. */
  readonly relative: string | undefined;
  readonly text: string;
}

/** Failing to read what the user named; the message says which and why. */
class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** Runs a command that reads sources; one that cannot be read ends it with the exit code. */
export async function withReadableSources(
  command: string,
  run: () => Promise<void>,
  exitCode = 2,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    process.stderr.write(`karpenter ${command}: ${error.message}\n`);
    process.exitCode = exitCode;
  }
}

/** Reads files, every manifest below folders, and stdin for `-`; in the order given, then by name. */
export async function readSources(paths: readonly string[]): Promise<readonly Source[]> {
  const sources: Source[] = [];
  for (const path of paths) sources.push(...(await readPath(path)));
  return sources;
}

export async function isFolder(path: string): Promise<boolean> {
  if (path === '-') return false;
  return (await attempt(path, () => stat(path))).isDirectory();
}

async function readPath(path: string): Promise<readonly Source[]> {
  if (path === '-') return [{ name: 'stdin', relative: undefined, text: await readStdin() }];
  if (!(await isFolder(path))) return [await readSource(path, path)];
  const files = await attempt(path, () => manifestsIn(path));
  if (files.length === 0) throw new SourceError(`${path} holds no .yaml, .yml or .json file`);
  const sources: Source[] = [];
  for (const file of files) sources.push(await readSource(file, relative(path, file)));
  return sources;
}

async function manifestsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(compareText);
}

async function readSource(path: string, shown: string): Promise<Source> {
  const bytes = await attempt(path, () => readFile(path));
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { name: path, relative: shown, text };
  } catch (error) {
    throw new SourceError(`${path} is not UTF-8 text`, { cause: error });
  }
}

async function readStdin(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString('utf8');
}

async function attempt<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SourceError(
      code === 'ENOENT' ? `${path} does not exist` : `reading ${path}: ${message}`,
      {
        cause: error,
      },
    );
  }
}
