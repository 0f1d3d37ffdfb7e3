import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

export interface StaticFile {
  readonly type: string;
  readonly content: Uint8Array;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.map': 'application/json',
};

/** Reads a folder into memory once; only what was there then can ever be served. */
export function readStaticFiles(folder: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const path of pathsBelow(folder, '')) {
    const type = types[extname(path)] ?? 'application/octet-stream';
    files.set(path, { type, content: readFileSync(join(folder, path)) });
  }
  return files;
}

function pathsBelow(folder: string, path: string): readonly string[] {
  if (!statSync(join(folder, path)).isDirectory()) return [path];
  return readdirSync(join(folder, path))
    .sort()
    .flatMap((name) => pathsBelow(folder, `${path}/${name}`));
}
