import { type Modernised, modernise, objectsOf } from '../../api/legacy/modernise.ts';
import { lintReferences, lintShadows } from '../../api/lint/between-objects.ts';
import { type Finding, finding } from '../../api/lint/finding.ts';
import type { LintKnowledge } from '../../api/lint/knowledge.ts';
import { lintNodeClass } from '../../api/lint/node-class.ts';
import { lintNodePool } from '../../api/lint/node-pool.ts';
import { spellingsOf } from '../../api/lint/old-spelling.ts';
import type { DocumentPart, ManifestFile } from '../../api/manifest/manifest-file.ts';
import { mapAt, type Path, pathText, textAt, type Value, valueAt } from '../../api/value.ts';
import { compareText } from '../../core/text-order.ts';
import type { Admission } from './admission.ts';

/** A finding in its file. */
export interface LintReport extends Finding {
  readonly file: string;
  readonly line: number;
  /** `NodePool default`. */
  readonly object: string;
}

/** An object of the files, as it was written and as v1. */
interface Subject {
  readonly file: ManifestFile;
  readonly part: DocumentPart;
  readonly at: Path;
  readonly written: Value;
  /** The object as v1, and how it came there. */
  readonly object: Value;
  readonly modernised: Modernised;
}

/** Everything that is wrong in files that belong together, in the order of files and lines. */
export async function lintFiles(
  files: readonly ManifestFile[],
  knowledge: LintKnowledge,
  admission: Admission,
): Promise<readonly LintReport[]> {
  const subjects = subjectsOf(files);
  const reports = files.flatMap(unreadable);
  const between = betweenOf(subjects);
  for (const subject of subjects) {
    const own = [...findingsOf(subject, knowledge), ...(between.get(subject) ?? [])];
    const refused = await refusalsOf(subject, admission);
    const known = new Set(own.map(({ path }) => path.join('\n')));
    const news = refused.filter(({ path }) => !known.has(path.join('\n')));
    reports.push(...[...own, ...news].filter(isReal(subject)).map((one) => reportOf(subject, one)));
  }
  return reports.toSorted(inOrder(files));
}

function subjectsOf(files: readonly ManifestFile[]): readonly Subject[] {
  const documents = files.flatMap((file) =>
    file.parts.flatMap((part) => (part.kind === 'document' ? [{ file, part }] : [])),
  );
  const modernised = modernise(documents.map(({ part }) => part.value));
  return documents.flatMap(({ file, part }, index) => {
    const written = objectsOf(part.value);
    return (modernised[index] ?? []).map((one, place) => ({
      file,
      part,
      at: one.at,
      written: written[place]?.object ?? null,
      object: one.object,
      modernised: one,
    }));
  });
}

function unreadable(file: ManifestFile): readonly LintReport[] {
  return file.parts.flatMap((part): LintReport[] => {
    if (part.kind !== 'unreadable') return [];
    const fix = 'make it valid YAML; nothing of the document is looked at until then';
    const told = finding('KTS020', { path: [], sentence: part.problem, fix });
    return [{ ...told, file: file.name, line: part.line, object: 'document' }];
  });
}

function findingsOf({ object, modernised }: Subject, knowledge: LintKnowledge): readonly Finding[] {
  const old = spellingsOf({ ...modernised, at: [] });
  // What convert leaves as a question is found in the new object again.
  const news = (found: readonly Finding[]): readonly Finding[] =>
    found.filter(({ code }) => code !== 'KTS001');
  switch (kindOf(object)) {
    case 'karpenter.sh/v1 NodePool':
      return [...old, ...news(lintNodePool(object, knowledge))];
    case 'karpenter.k8s.aws/v1 EC2NodeClass':
      return [...old, ...news(lintNodeClass(object, knowledge))];
    default:
      return old;
  }
}

function kindOf(object: Value): string {
  return `${textAt(object, ['apiVersion']) ?? ''} ${textAt(object, ['kind']) ?? ''}`;
}

function betweenOf(subjects: readonly Subject[]): ReadonlyMap<Subject, readonly Finding[]> {
  const pools = subjects.filter(({ object }) => kindOf(object) === 'karpenter.sh/v1 NodePool');
  const classes = subjects.filter(({ object }) => kindOf(object).endsWith(' EC2NodeClass'));
  const values = pools.map(({ object }) => object);
  const added = subjects.flatMap(({ modernised }) => modernised.added?.object ?? []);
  const known = [...classes.map(({ object }) => object), ...added];
  const names = new Set(known.flatMap((object) => textAt(object, ['metadata', 'name']) ?? []));
  const shadows = lintShadows(values);
  // Pools alone may well belong to classes that stand elsewhere.
  const references = names.size === 0 ? new Map<Value, Finding>() : lintReferences(values, names);
  return new Map(
    pools.map((subject) => [
      subject,
      [shadows.get(subject.object), references.get(subject.object)].filter(
        (one) => one !== undefined,
      ),
    ]),
  );
}

async function refusalsOf({ object }: Subject, admission: Admission): Promise<readonly Finding[]> {
  const refused = await admission.refusals(object);
  return refused.map(({ path, message }) =>
    finding('KTS015', {
      path,
      sentence: `the API server refuses ${path.length === 0 ? 'it' : pathText(path)}: ${message}`,
      fix: 'write what the message asks for',
    }),
  );
}

/** A value that a template fills in later cannot be judged now. */
function isReal({ file, object }: Subject): (one: Finding) => boolean {
  return ({ code, path, sentence }) => {
    if (code === 'KTS001') return true;
    const value = valueAt(object, path);
    if (typeof value === 'string' && file.mask.isMasked(value)) return false;
    return !file.mask.isMasked(sentence);
  };
}

function reportOf({ file, part, at, written }: Subject, told: Finding): LintReport {
  const { unmask } = file.mask;
  const { kind = '', metadata } = mapAt(written, []);
  const name = textAt(metadata, ['name']) ?? '';
  return {
    ...told,
    sentence: unmask(told.sentence),
    fix: unmask(told.fix),
    file: file.name,
    line: part.lineOf([...at, ...told.path]),
    object: unmask(`${String(kind)} ${name}`),
  };
}

function inOrder(files: readonly ManifestFile[]): (a: LintReport, b: LintReport) => number {
  const place = new Map(files.map(({ name }, index) => [name, index]));
  return (a, b) =>
    (place.get(a.file) ?? 0) - (place.get(b.file) ?? 0) ||
    a.line - b.line ||
    compareText(a.code, b.code);
}
