import { customResourceDefinitions } from '../../api/crds.ts';
import { modernise } from '../../api/legacy/modernise.ts';
import { type ManifestFile, readManifestFile } from '../../api/manifest/manifest-file.ts';
import { unmasked } from '../../api/manifest/template-mask.ts';
import { isMap, listAt, type Path, textAt, type ValueMap, valueAt } from '../../api/value.ts';
import { count } from '../../core/explain/words.ts';
import type { Source } from '../manifest/read-sources.ts';

/** An object that is to be applied. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty where the server makes one up. */
  readonly name: string;
  readonly object: ValueMap;
  /** `app.yaml:12: Deployment web`, with the line of the field. */
  readonly where: (path?: Path) => string;
}

/** Something that has no part in the plan, and why. */
export interface Ignored {
  readonly object: string;
  readonly reason: string;
}

export interface Reading {
  readonly manifests: readonly Manifest[];
  readonly ignored: readonly Ignored[];
  /** What was understood otherwise than it is written. */
  readonly notes: readonly string[];
  /** What cannot be understood at all. */
  readonly problems: readonly string[];
}

/** Reads files that belong together. Old versions become what `karpenter convert` makes of them. */
export function readManifests(sources: readonly Source[]): Reading {
  const files = sources.map(({ name, text }) => readManifestFile(name, text, unmasked));
  const documents = files.flatMap((file) =>
    file.parts.flatMap((part) => (part.kind === 'document' ? [{ file, part }] : [])),
  );
  const modern = modernise(documents.map(({ part }) => part.value));
  const manifests: Manifest[] = [];
  const notes: string[] = [];
  const ignored = files.flatMap(foreignIn);
  for (const [index, { file, part }] of documents.entries()) {
    if (textAt(part.value, ['kind']) === undefined) ignored.push(noObject(file, part.lineOf([])));
    for (const { at, object, changes, added } of modern[index] ?? []) {
      const lineOf = (path: Path): string => `${file.name}:${part.lineOf([...at, ...path])}`;
      const found = [object, added?.object].flatMap((one) =>
        isMap(one) ? [manifestOf(one, lineOf)] : [],
      );
      const reason = found.map(asideReason).find((one) => one !== undefined);
      const name = found[0]?.where() ?? '';
      if (reason !== undefined) ignored.push({ object: name, reason });
      else manifests.push(...found);
      if (changes.length > 0)
        notes.push(`${name} is read as karpenter convert writes it, ${changed(changes.length)}.`);
    }
  }
  return { manifests, ignored, notes, problems: files.flatMap(unreadableIn) };
}

function changed(changes: number): string {
  return `with ${count(changes, 'change')}`;
}

/** An object of the user's, or one of ours that stands in no file. */
export function manifestOf(object: ValueMap, lineOf?: (path: Path) => string): Manifest {
  const apiVersion = textAt(object, ['apiVersion']) ?? '';
  const kind = textAt(object, ['kind']) ?? '';
  const name = textAt(object, ['metadata', 'name']) ?? '';
  const title = `${kind} ${name || (textAt(object, ['metadata', 'generateName']) ?? '')}`.trim();
  const where = (path: Path = []): string =>
    lineOf === undefined ? title : `${lineOf(path)}: ${title}`;
  return { apiVersion, kind, name, object, where };
}

const ownCrds = new Set(customResourceDefinitions().map(({ metadata }) => metadata.name));

/** A plan is about pods that are still to come, and nodes that are still to be bought. */
function asideReason({ kind, name, object }: Manifest): string | undefined {
  if (kind === 'Node' || kind === 'NodeClaim') return 'a plan knows no nodes of yours';
  if (kind === 'CustomResourceDefinition' && ownCrds.has(name)) return 'we bring our own';
  if (listAt(object, ['metadata', 'ownerReferences']).length > 0) return 'another object makes it';
  if (kind !== 'Pod') return undefined;
  if (valueAt(object, ['spec', 'nodeName']) !== undefined) return 'it has a node already';
  const phase = textAt(object, ['status', 'phase']);
  return phase === 'Succeeded' || phase === 'Failed' ? 'it has ended' : undefined;
}

function foreignIn(file: ManifestFile): Ignored[] {
  const foreign = file.parts.filter((part) => part.kind === 'gap' && part.isForeign === true);
  return foreign.map(() => noObject(file, 1));
}

function noObject({ name }: ManifestFile, line: number): Ignored {
  return { object: `${name}:${line}`, reason: 'it is no object of Kubernetes' };
}

function unreadableIn({ name, parts }: ManifestFile): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind !== 'unreadable') return [];
    const hint = part.text.includes('{{') ? '; a template must be rendered first' : '';
    return [`${name}:${part.line}: cannot be read: ${part.problem}${hint}`];
  });
}
