import { type Modernised, modernise } from '../../api/legacy/modernise.ts';
import type { Change } from '../../api/legacy/revision.ts';
import type { DocumentPart, ManifestFile, ManifestPart } from '../../api/manifest/manifest-file.ts';
import type { Path, Value } from '../../api/value.ts';
import { isSameTemplate, writeDocument } from './write-document.ts';

/** What one line on stderr says. */
export interface ChangeReport {
  readonly file: string;
  readonly line: number;
  /** `NodePool default`. */
  readonly object: string;
  readonly what: string;
  readonly why: string;
  readonly now: string;
  readonly question?: string | undefined;
  /** False for remarks: the file stays as it is. */
  readonly isChange: boolean;
}

export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

export interface ConvertedFile {
  readonly name: string;
  readonly text: string;
  readonly isChanged: boolean;
  readonly reports: readonly ChangeReport[];
  readonly problems: readonly Problem[];
}

/**
 * Brings files that belong together to v1. Documents that need no change come out byte for byte as
 * they went in, and so do those that cannot be read, which are named in `problems`.
 */
export function convertFiles(files: readonly ManifestFile[]): readonly ConvertedFile[] {
  const values = files.flatMap(({ parts }) => parts.flatMap(valuesOf));
  const modernised = modernise(values);
  let next = 0;
  return files.map((file) => {
    const own = file.parts.map((part) =>
      part.kind === 'document' ? modernised[next++] : undefined,
    );
    return convertFile(file, own);
  });
}

function valuesOf(part: ManifestPart): readonly Value[] {
  return part.kind === 'document' ? [part.value] : [];
}

type Objects = readonly Modernised[] | undefined;

function convertFile(file: ManifestFile, objects: readonly Objects[]): ConvertedFile {
  const converted = file.parts.map((part, index) => convertPart(file, part, objects[index] ?? []));
  const text = file.mask.unmask(converted.map((part) => part.text).join(''));
  return {
    name: file.name,
    text,
    isChanged: converted.some(({ isChanged }) => isChanged),
    reports: converted.flatMap(({ reports }) => reports),
    problems: converted.flatMap(({ problems }) => problems),
  };
}

interface ConvertedPart {
  readonly text: string;
  readonly isChanged: boolean;
  readonly reports: readonly ChangeReport[];
  readonly problems: readonly Problem[];
}

function convertPart(
  file: ManifestFile,
  part: ManifestPart,
  objects: readonly Modernised[],
): ConvertedPart {
  const same = { text: part.text, isChanged: false, reports: [], problems: [] };
  if (part.kind === 'gap') return same;
  if (part.kind === 'unreadable') {
    const { line, problem } = part;
    return { ...same, problems: [{ file: file.name, line, problem }] };
  }
  const reports = objects.flatMap((object) => reportsOf(file, part, object));
  if (!objects.some(needsWriting)) return { ...same, reports };
  const fail = (problem: string): ConvertedPart => ({
    ...same,
    problems: [
      { file: file.name, line: part.lineOf([]), problem: `${problem}; it is left as it is` },
    ],
  });
  const written = writeDocument(part, objects);
  if (written === undefined) return fail('its new form cannot be written as YAML');
  const lost = file.mask.missingIn(written.text + reports.map(({ what }) => what).join('\n'));
  const before = file.mask.missingIn(part.text);
  const gone = lost.filter((expression) => !before.includes(expression));
  if (gone.length > 0) return fail(`converting it would lose ${gone.join(', ')}`);
  const extra = [
    ...(written.isFlattened ? [flattening] : []),
    ...(file.mask.hasControlFlow(part.text) ? [movedControlFlow] : []),
  ].map((news) => ({ ...documentReport(file, part, objects), ...news }));
  const text = file.mask.hasControlFlow(part.text)
    ? `# QUESTION(karpenter convert): ${controlFlowQuestion}\n${written.text}`
    : written.text;
  if (!isSameTemplate(file, text, written.value))
    return fail('its templates would stand where they mean something else');
  return {
    text,
    isChanged: true,
    reports: [...reports, ...extra].map((report) => unmasked(file, report)),
    problems: [],
  };
}

function needsWriting({ changes, added }: Modernised): boolean {
  return added !== undefined || changes.some(({ edits }) => edits.length > 0);
}

function reportsOf(
  file: ManifestFile,
  part: DocumentPart,
  { kind, name, at, changes, added }: Modernised,
): readonly ChangeReport[] {
  const report = (object: string, change: Change, path: Path): ChangeReport => ({
    file: file.name,
    line: part.lineOf([...at, ...path]),
    object,
    what: change.what,
    why: change.why,
    now: change.now,
    question: change.question,
    isChange: change.edits.length > 0,
  });
  return [
    ...changes.map((change) => report(`${kind} ${name}`, change, change.at)),
    ...(added?.changes ?? []).map((change) =>
      report(`EC2NodeClass ${name}`, change, ['spec', 'provider', ...change.at.slice(1)]),
    ),
  ];
}

const flattening = {
  what: 'anchors, aliases and merged keys are written out, and the comments of the document are gone',
  why: 'a change reaches into a part that an alias shares',
  now: 'nothing',
};

const controlFlowQuestion = 'do the lines of control flow still enclose what they should?';

const movedControlFlow = {
  what: 'the template has lines of control flow, and fields around them have moved',
  why: 'they are no YAML and are kept as they stand',
  now: 'look at the result before you render it',
  question: controlFlowQuestion,
};

/** What is said of a document as a whole. */
function documentReport(
  file: ManifestFile,
  part: DocumentPart,
  [first]: readonly Modernised[],
): Pick<ChangeReport, 'file' | 'line' | 'object' | 'isChange'> {
  return {
    file: file.name,
    line: part.lineOf([]),
    object: `${first?.kind ?? ''} ${first?.name ?? ''}`,
    isChange: true,
  };
}

function unmasked(file: ManifestFile, report: ChangeReport): ChangeReport {
  const { unmask } = file.mask;
  return {
    ...report,
    object: unmask(report.object),
    what: unmask(report.what),
    why: unmask(report.why),
    now: unmask(report.now),
    ...(report.question === undefined ? {} : { question: unmask(report.question) }),
  };
}
