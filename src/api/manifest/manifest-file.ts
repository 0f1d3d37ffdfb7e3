import type { Document } from 'yaml';
import type { Path, Value } from '../value.ts';
import { type ReadYaml, readYaml } from './read-yaml.ts';
import { type MaskedText, maskTemplates } from './template-mask.ts';
import { offsetOf } from './yaml-place.ts';

/** A file of manifests: its parts in order, which joined are the file again, byte for byte. */
export interface ManifestFile {
  readonly name: string;
  readonly mask: MaskedText;
  readonly parts: readonly ManifestPart[];
}

export type ManifestPart =
  /** A separator, comments alone, or YAML that is none of Kubernetes. */
  | { readonly kind: 'gap'; readonly text: string; readonly isForeign?: boolean }
  | {
      readonly kind: 'document';
      readonly text: string;
      readonly yaml: Document;
      readonly value: Value;
      /** The line of the file on which something of the document stands. */
      readonly lineOf: (path: Path) => number;
    }
  | {
      readonly kind: 'unreadable';
      readonly text: string;
      readonly problem: string;
      readonly line: number;
    };

export type DocumentPart = Extract<ManifestPart, { readonly kind: 'document' }>;

const largest = 16 * 2 ** 20;

/**
 * Reads a file. What cannot be read is a part that says so; the others are read all the same.
 * `maskOf` hides templates, unless the file is to be taken by the letter.
 */
export function readManifestFile(
  name: string,
  source: string,
  maskOf: (source: string) => MaskedText = maskTemplates,
): ManifestFile {
  const mask = maskOf(source.length > largest ? '' : source);
  if (source.length > largest) {
    const problem = `it is larger than ${largest / 2 ** 20} MiB`;
    return { name, mask, parts: [{ kind: 'unreadable', text: source, problem, line: 1 }] };
  }
  const parts: ManifestPart[] = [];
  let offset = 0;
  for (const piece of pieces(mask.text)) {
    parts.push(piece.isGap ? { kind: 'gap', text: piece.text } : partOf(piece.text, offset, mask));
    offset += piece.text.length;
  }
  return { name, mask, parts };
}

interface Piece {
  readonly text: string;
  readonly isGap: boolean;
}

/** A line that ends a document; text behind the dashes begins the next. */
const separator =
  /^(?:---(?=[ \t\r\n]|$)[ \t]*(?:#[^\n]*)?(?:\r?\n|\r?$)?|\.\.\.[ \t]*(?:\r?\n|\r?$))/;

/** A byte order mark says nothing to us and stays where it is. */
const mark = '\uFEFF';

function pieces(text: string): readonly Piece[] {
  const found: Piece[] = [];
  let document = '';
  const close = (): void => {
    if (document !== '') found.push({ text: document, isGap: isBlank(document) });
    document = '';
  };
  if (text.startsWith(mark)) found.push({ text: mark, isGap: true });
  for (const line of text.slice(text.startsWith(mark) ? 1 : 0).split(/(?<=\n)/)) {
    const gap = separator.exec(line)?.[0];
    if (gap === undefined) {
      document += line;
      continue;
    }
    close();
    found.push({ text: gap, isGap: true });
    document = line.slice(gap.length);
  }
  close();
  return found;
}

/** Nothing but comments and directives, which are for the parser. */
function isBlank(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#|$)/.test(line) || line.startsWith('%'));
}

function partOf(text: string, start: number, mask: MaskedText): ManifestPart {
  const read: ReadYaml = readYaml(text);
  const lineAt = (offset: number): number =>
    mask.unmask(mask.text.slice(0, start + offset)).split('\n').length;
  if (read.kind === 'foreign') return { kind: 'gap', text, isForeign: true };
  if (read.kind === 'unreadable') {
    const problem = mask.unmask(read.problem);
    return { kind: 'unreadable', text, problem, line: lineAt(read.offset) };
  }
  const { yaml, value } = read;
  return { kind: 'document', text, yaml, value, lineOf: (path) => lineAt(offsetOf(yaml, path)) };
}
