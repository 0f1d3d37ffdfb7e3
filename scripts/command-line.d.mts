import type { ParseArgsConfig, parseArgs } from 'node:util';

export function answerHelp(usage: string, args?: readonly string[]): void;
export function misused(problem: string, usage: string): never;
export function readCommandLine<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>>;
export function wholeNumber(name: string, text: string, usage: string): number;
