// How every script of ours answers --help, and what it does not understand.
import { parseArgs } from 'node:util';

/** Where --help is asked for, prints the usage and ends the process. */
export function answerHelp(usage, args = process.argv.slice(2)) {
  if (!args.includes('--help') && !args.includes('-h')) return;
  process.stdout.write(`usage: ${usage}\n`);
  process.exit(0);
}

/** Says what is wrong with a command line and how it should look, and ends the process with 2. */
export function misused(problem, usage) {
  process.stderr.write(`${problem}\n\nusage: ${usage}\n`);
  process.exit(2);
}

/** What node:util's parseArgs answers. For --help and flags that it does not know, this does not return. */
export function readCommandLine(usage, config = {}) {
  const args = config.args ?? process.argv.slice(2);
  answerHelp(usage, args);
  try {
    return parseArgs({ ...config, args });
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [sentence] = error.message.split('. ');
    return misused(sentence, usage);
  }
}

/** A whole number above or equal to nought. For anything else this does not return. */
export function wholeNumber(name, text, usage) {
  if (/^\d+$/.test(text)) return Number(text);
  return misused(`${name} wants a whole number, not ${text}`, usage);
}
