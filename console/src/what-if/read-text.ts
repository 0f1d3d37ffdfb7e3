import { objectsOf } from '../../../src/api/legacy/modernise.ts';
import {
  type DocumentPart,
  type ManifestPart,
  readManifestFile,
} from '../../../src/api/manifest/manifest-file.ts';
import { unmasked } from '../../../src/api/manifest/template-mask.ts';
import { podsAsked } from '../../../src/api/manifest/workload.ts';
import { isMap, type Path, textAt, type Value } from '../../../src/api/value.ts';
import { hasOwnName, mostPods, readObject, titleOf, type Written } from './read-object.ts';

/** Why there is no answer yet. */
export interface Problem {
  readonly line: number;
  readonly sentence: string;
}

export interface ReadText {
  readonly written: readonly Written[];
  readonly problems: readonly Problem[];
  /** Objects that bring no pods. */
  readonly others: readonly string[];
}

/** Reads the text that would be given to `kubectl apply`: YAML or JSON, several documents, Lists. */
export function readText(text: string): ReadText {
  const found = readManifestFile('', text, unmasked).parts.flatMap(foundIn);
  const written = found.flatMap((one) => ('written' in one ? [one] : []));
  return {
    written: written.map((one) => one.written),
    problems: [
      ...found.flatMap((one) => ('sentence' in one ? [one] : [])),
      ...repetitions(written),
      ...crowds(written),
    ].sort((a, b) => a.line - b.line),
    others: found.flatMap((one) => ('other' in one ? [one.other] : [])),
  };
}

interface FoundObject {
  readonly line: number;
  readonly written: Written;
}

type Found = FoundObject | Problem | { readonly other: string };

function foundIn(part: ManifestPart): readonly Found[] {
  switch (part.kind) {
    case 'gap':
      return part.isForeign === true ? [{ line: 1, sentence: foreign }] : [];
    case 'unreadable':
      return [{ line: part.line, sentence: unreadable(part) }];
    case 'document':
      if (textAt(part.value, ['kind']) === undefined)
        return [{ line: part.lineOf([]), sentence: noKind }];
      return objectsOf(part.value).flatMap(({ at, object }) => foundAt(part, at, object));
  }
}

const foreign = 'This is YAML, but no object of Kubernetes.';
const noKind = 'This is no object of Kubernetes: it has no kind.';

function unreadable({
  problem,
  text,
}: {
  readonly problem: string;
  readonly text: string;
}): string {
  const hint = text.includes('{{') ? ' A template must be rendered first.' : '';
  return `This cannot be read: ${problem}.${hint}`;
}

function foundAt(part: DocumentPart, at: Path, object: Value): readonly Found[] {
  if (!isMap(object) || typeof object.kind !== 'string')
    return [{ line: part.lineOf(at), sentence: noKind }];
  const { written, other, faults = [] } = readObject(object, object.kind);
  if (written !== undefined) return [{ line: part.lineOf(at), written }];
  if (other !== undefined) return [{ other }];
  return faults.map(({ path, sentence }) => ({ line: part.lineOf([...at, ...path]), sentence }));
}

function repetitions(found: readonly FoundObject[]): readonly Problem[] {
  const seen = new Set<string>();
  return found.flatMap(({ line, written }) => {
    const title = titleOf(written);
    const isTwice = seen.has(title) && hasOwnName(written);
    seen.add(title);
    return isTwice ? [{ line, sentence: `${title} is given twice.` }] : [];
  });
}

function crowds(found: readonly FoundObject[]): readonly Problem[] {
  const pods = found.reduce((sum, { written }) => sum + podsAsked(written.object), 0);
  return pods > mostPods ? [{ line: 1, sentence: `These are more than ${mostPods} pods.` }] : [];
}
