import { InvalidArgumentError, Option } from 'commander';

/** Parsers for flag values. Each throws commander's own error, which names the flag. */

export function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidArgumentError('a port is a whole number from 0 to 65535.');
  }
  return port;
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('give a number above 0.');
  return value;
}

export function zeroOrMore(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('give a number, 0 or more.');
  return value;
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('give a whole number, 0 or more.');
  return value;
}

/** A part of a whole: 0.075 for 7.5 %. */
export function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value < 1))
    throw new InvalidArgumentError('give a share from 0 to below 1, such as 0.075.');
  return value;
}

/** `1s`, `500ms`, `1m30s` in milliseconds. */
export function milliseconds(text: string): number {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new InvalidArgumentError('give a duration such as 1s, 500ms or 1m30s.');
  }
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? 0);
  }
  return total;
}

/** `true` or `false`, and nothing else. */
export function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('give true or false.');
  return text === 'true';
}

/** A flag that an environment variable of the original's name can set too. */
export function flagOrEnv(flags: string, description: string, variable: string): Option {
  return new Option(flags, description).env(variable);
}
