import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program that a test judges by: from the variable, or the PATH; undefined if absent. */
export function findTool(variable: string, name: string): string | undefined {
  const named = process.env[variable];
  if (named !== undefined && named !== '') return named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
