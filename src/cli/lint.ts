import { Command, InvalidArgumentError, Option } from 'commander';
import type { Severity } from '../api/lint/finding.ts';
import { readManifestFile } from '../api/manifest/manifest-file.ts';
import { readCatalog } from './compose/catalog.ts';
import { openAdmission } from './manifest/admission.ts';
import { lintCatalog } from './manifest/lint-catalog.ts';
import { type LintReport, lintFiles } from './manifest/lint-files.ts';
import { readSources, withReadableSources } from './manifest/read-sources.ts';

interface LintFlags {
  readonly filename: readonly string[];
  readonly output: 'text' | 'json';
  readonly kubernetesVersion?: string;
  readonly region?: string;
  readonly failOn: Severity | 'never';
}

/** `karpenter lint`: what in manifests will not do what its author thinks. */
export function lintCommand(): Command {
  return new Command('lint')
    .description('find what in NodePools and EC2NodeClasses will not do what it seems to')
    .addOption(
      new Option(
        '-f, --filename <path...>',
        'a file, a folder (with all below it), or - for stdin',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('-o, --output <format>', 'how findings are printed')
        .choices(['text', 'json'])
        .default('text'),
    )
    .addOption(
      new Option(
        '--kubernetes-version <version>',
        'the version of the cluster, such as 1.33',
      ).argParser(versionNumber),
    )
    .addOption(
      new Option(
        '--region <name>',
        'the AWS region: judges zones and what is sold there',
      ).argParser(regionName),
    )
    .addOption(
      new Option('--fail-on <severity>', 'the least severity that makes the exit code 1')
        .choices(['error', 'warning', 'info', 'never'])
        .default('error'),
    )
    .addHelpText('after', help)
    .action((flags: LintFlags) => withReadableSources('lint', () => runLint(flags)));
}

const help = `
Files are judged together: pools against each other and against their classes. Old versions are judged
as what karpenter convert makes of them. Each finding has a code that docs/lint.md explains.

Exit codes:
  0  nothing found of the severity of --fail-on
  1  something found of that severity or worse
  2  a file could not be read

Examples:
  karpenter lint -f manifests/ --kubernetes-version 1.33 --region eu-central-1
  kubectl get nodepools,ec2nodeclasses -o yaml | karpenter lint -f -
  karpenter lint -f pool.yaml --output json | jq '.findings[].code'
`;

function versionNumber(text: string): string {
  if (!/^v?\d+\.\d+(\.|$)/.test(text))
    throw new InvalidArgumentError('give a version such as 1.33.');
  return text;
}

function regionName(text: string): string {
  if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(text))
    throw new InvalidArgumentError('give a region such as eu-central-1.');
  return text;
}

async function runLint(flags: LintFlags): Promise<void> {
  const sources = await readSources(flags.filename);
  const files = sources.map(({ name, text }) => readManifestFile(name, text));
  const instanceTypes = lintCatalog(readCatalog(), flags.region);
  if (instanceTypes === undefined)
    process.stderr.write(
      `karpenter lint: the catalogue does not know region ${flags.region}; instance types are not judged\n`,
    );
  const { kubernetesVersion } = flags;
  const knowledge = { kubernetesVersion, instanceTypes };
  const reports = await lintFiles(files, knowledge, await openAdmission());
  if (flags.output === 'json') printJson(reports, files.length);
  else printText(reports, files.length);
  process.exitCode = reports.some(({ severity }) => isAtLeast(severity, flags.failOn)) ? 1 : 0;
}

const severities: readonly Severity[] = ['error', 'warning', 'info'];

function isAtLeast(severity: Severity, least: Severity | 'never'): boolean {
  return least !== 'never' && severities.indexOf(severity) <= severities.indexOf(least);
}

function printJson(reports: readonly LintReport[], files: number): void {
  const findings = reports.map(({ path, ...rest }) => ({ ...rest, path: path.map(String) }));
  process.stdout.write(`${JSON.stringify({ files, findings }, null, 2)}\n`);
}

function printText(reports: readonly LintReport[], files: number): void {
  for (const { file, line, severity, code, object, sentence, fix, docs } of reports)
    process.stdout.write(
      `${file}:${line}: ${severity} ${code} ${object}: ${sentence}\n    fix: ${fix} (${docs})\n`,
    );
  const counts = severities.map(
    (severity) => `${reports.filter((report) => report.severity === severity).length} ${severity}`,
  );
  process.stderr.write(`${files} ${files === 1 ? 'file' : 'files'}: ${counts.join(', ')}\n`);
}
