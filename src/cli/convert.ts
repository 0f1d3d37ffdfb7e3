import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import { readManifestFile } from '../api/manifest/manifest-file.ts';
import {
  type ChangeReport,
  type ConvertedFile,
  convertFiles,
  type Problem,
} from './manifest/convert-files.ts';
import {
  isFolder,
  readSources,
  type Source,
  withReadableSources,
} from './manifest/read-sources.ts';

interface ConvertFlags {
  readonly filename: readonly string[];
  readonly output?: string;
  readonly check?: true;
  readonly report: 'text' | 'json';
}

/** `karpenter convert`: old and misspelt manifests as v1, with a line on every change. */
export function convertCommand(): Command {
  return new Command('convert')
    .description(
      'turn Provisioners, v1beta1 objects and misspelt manifests into v1, keeping comments',
    )
    .addOption(
      new Option(
        '-f, --filename <path...>',
        'a file, a folder (with all below it), or - for stdin',
      ).makeOptionMandatory(),
    )
    .option('-o, --output <path>', 'write there instead of to stdout; a folder when -f is one')
    .option('--check', 'change nothing; exit with 1 if something would change')
    .addOption(
      new Option('--report <format>', 'how changes are told on stderr')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addHelpText('after', help)
    .action((flags: ConvertFlags) => withReadableSources('convert', () => runConvert(flags)));
}

const help = `
Every change is one line on stderr: where, what, why, and what behaves differently now. What only you
can know is left open, marked in the output with "# QUESTION(karpenter convert)".
Documents that need no change come out byte for byte as they went in.

Exit codes:
  0  converted, or nothing to convert
  1  --check: something would change
  2  a file or a document could not be read; the others were converted

Examples:
  karpenter convert -f provisioner.yaml -o nodepool.yaml
  karpenter convert -f manifests/ -o converted/
  kubectl get nodepools.karpenter.sh -o yaml | karpenter convert -f - | kubectl apply --dry-run=server -f -
  karpenter convert -f manifests/ --check
`;

async function runConvert(flags: ConvertFlags): Promise<void> {
  const sources = await readSources(flags.filename);
  const files = sources.map(({ name, text }) => readManifestFile(name, text));
  const converted = convertFiles(files);
  const tell = flags.report === 'json' ? tellJson : tellText;
  for (const [index, file] of converted.entries()) {
    progress(flags, `${index + 1}/${converted.length} ${file.name}`, converted.length);
    tell(file);
  }
  if (flags.check !== true) await write(flags, sources, converted);
  summarise(flags, converted);
  process.exitCode = exitCodeOf(flags, converted);
}

function exitCodeOf(flags: ConvertFlags, files: readonly ConvertedFile[]): number {
  if (files.some(({ problems }) => problems.length > 0)) return 2;
  return flags.check === true && files.some(({ isChanged }) => isChanged) ? 1 : 0;
}

/** One file needs no progress; JSON is for programs. */
function progress({ report }: ConvertFlags, text: string, count: number): void {
  if (report === 'text' && count > 1) process.stderr.write(`${text}\n`);
}

function tellText({ reports, problems }: ConvertedFile): void {
  for (const report of reports) process.stderr.write(`${lineOf(report)}\n`);
  for (const problem of problems) process.stderr.write(`${problemLine(problem)}\n`);
}

function lineOf({ file, line, object, what, why, now, question }: ChangeReport): string {
  const asked = question === undefined ? '' : ` QUESTION: ${question}`;
  return `${file}:${line}: ${object}: ${what}; because ${why}; now: ${now}${asked}`;
}

function problemLine({ file, line, problem }: Problem): string {
  return `${file}:${line}: cannot be read: ${problem}`;
}

function tellJson({ reports, problems }: ConvertedFile): void {
  for (const report of reports)
    process.stderr.write(`${JSON.stringify({ type: 'change', ...report })}\n`);
  for (const problem of problems)
    process.stderr.write(`${JSON.stringify({ type: 'problem', ...problem })}\n`);
}

function summarise(flags: ConvertFlags, files: readonly ConvertedFile[]): void {
  if (flags.report === 'json') return;
  const reports = files.flatMap((file) => file.reports);
  const changes = reports.filter(({ isChange, question }) => isChange && question === undefined);
  const questions = reports.filter(({ question }) => question !== undefined).length;
  const changed = files.filter(({ isChanged }) => isChanged).length;
  const would = flags.check === true ? 'would be changed' : 'changed';
  process.stderr.write(
    `${changed} of ${files.length} ${files.length === 1 ? 'file' : 'files'} ${would}: ` +
      `${changes.length} changes, ${questions} questions\n`,
  );
}

async function write(
  { filename, output }: ConvertFlags,
  sources: readonly Source[],
  converted: readonly ConvertedFile[],
): Promise<void> {
  if (output === undefined) {
    process.stdout.write(joined(converted));
    return;
  }
  const hasFolder = (await Promise.all(filename.map(isFolder))).includes(true);
  if (!hasFolder) {
    await writeFile(output, joined(converted));
    return;
  }
  for (const [index, file] of converted.entries()) {
    const target = join(output, sources[index]?.relative ?? file.name);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, file.text);
  }
}

/** Several files become one stream of documents. */
function joined(files: readonly ConvertedFile[]): string {
  return files
    .map(({ text }, index) => {
      const isLast = index === files.length - 1;
      const needsEnd = !isLast && !text.endsWith('\n');
      const begins = index > 0 && !/^\uFEFF?---/.test(text);
      return `${begins ? '---\n' : ''}${text}${needsEnd ? '\n' : ''}`;
    })
    .join('');
}
