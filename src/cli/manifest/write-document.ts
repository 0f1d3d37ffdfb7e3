import { isDeepStrictEqual } from 'node:util';
import { Document } from 'yaml';
import { applyEdits, type Edit } from '../../api/legacy/edit.ts';
import type { Modernised } from '../../api/legacy/modernise.ts';
import {
  type DocumentPart,
  type ManifestFile,
  readManifestFile,
} from '../../api/manifest/manifest-file.ts';
import { readYaml } from '../../api/manifest/read-yaml.ts';
import { EditBlocked } from '../../api/manifest/yaml-place.ts';
import { inlineText, leavesOf, type Path, pathText, type Value } from '../../api/value.ts';
import { renderYaml } from './render-yaml.ts';
import { editYaml } from './yaml-edits.ts';

/** A document in its new form. */
export interface Written {
  readonly text: string;
  /** What the text says. */
  readonly value: Value;
  /** The document was built anew from its values. */
  readonly isFlattened: boolean;
}

/** Takes the edits on the text itself; undefined where no text could be found that says what is meant. */
export function writeDocument(
  part: DocumentPart,
  objects: readonly Modernised[],
): Written | undefined {
  const edits = objects.flatMap(({ at, changes }) =>
    changes.flatMap((change) => change.edits.map((edit) => rooted(edit, at))),
  );
  const wanted = applyEdits(part.value, edits);
  const extra = objects.flatMap(({ added }) =>
    added === undefined ? [] : [addedText(added, part.text)],
  );
  const kept = editedText(part, edits);
  if (kept !== undefined && holds(kept, wanted))
    return { text: [kept, ...extra].join('---\n'), value: wanted, isFlattened: false };
  const anew = renderYaml(builtAnew(wanted, edits), part.text);
  if (!holds(anew, wanted)) return undefined;
  return { text: [anew, ...extra].join('---\n'), value: wanted, isFlattened: true };
}

function editedText(part: DocumentPart, edits: readonly Edit[]): string | undefined {
  try {
    for (const edit of edits) editYaml(part.yaml, edit);
    return renderYaml(part.yaml, part.text);
  } catch (error) {
    if (!(error instanceof EditBlocked) && !(error instanceof ReferenceError)) throw error;
    return undefined;
  }
}

/** What was written must say what was meant; the rest of the text is for people. */
function holds(text: string, wanted: Value): boolean {
  const read = readYaml(text);
  return read.kind === 'read' && isDeepStrictEqual(read.value, wanted);
}

function builtAnew(value: Value, edits: readonly Edit[]): Document {
  const document = new Document(value, { version: '1.1' });
  for (const edit of edits) if (edit.kind === 'ask') editYaml(document, edit);
  return document;
}

function addedText({ object, changes }: NonNullable<Modernised['added']>, like: string): string {
  return renderYaml(
    builtAnew(
      object,
      changes.flatMap(({ edits }) => edits),
    ),
    like,
  );
}

function rooted(edit: Edit, root: Path): Edit {
  if (edit.kind !== 'move') return { ...edit, at: [...root, ...edit.at] };
  return { ...edit, from: [...root, ...edit.from], to: [...root, ...edit.to] };
}

/** Whether the text, with its templates in place, is read again as the value that was meant. */
export function isSameTemplate(file: ManifestFile, masked: string, wanted: Value): boolean {
  const { unmask, isMasked } = file.mask;
  // An opening bracket without an end might be closed by a `}}` of our own.
  if (!isMasked(masked) && !/\{\{|\{%|[$%]\{/.test(masked)) return true;
  const again = readManifestFile('', unmask(masked));
  const [first] = again.parts.filter((part) => part.kind === 'document');
  if (first === undefined || again.parts.some(({ kind }) => kind === 'unreadable')) return false;
  return isDeepStrictEqual(spelledOut(first.value, again.mask.unmask), spelledOut(wanted, unmask));
}

function spelledOut(value: Value, unmask: (text: string) => string): readonly string[] {
  return leavesOf(value)
    .map((leaf) => unmask(`${pathText(leaf.path)}: ${inlineText(leaf.value)}`))
    .sort();
}
