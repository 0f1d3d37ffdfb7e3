import { type Document, isScalar, visit } from 'yaml';

/** The document as text, laid out like the text that it came from. JSON comes out as JSON. */
export function renderYaml(document: Document, like: string): string {
  markPlainKeys(document);
  const text = isJson(like) ? jsonText(document, like) : yamlText(document, like);
  const gap = /\n(\s*\n)$/.exec(like)?.[1] ?? '';
  const ended = `${text.trimEnd()}\n${gap.replaceAll(/[^\n]/g, '')}`;
  return like.includes('\r\n') ? ended.replaceAll(/\r?\n/g, '\r\n') : ended;
}

/** The library prints a quoted "<<" without its quotes, and then it would merge. */
function markPlainKeys(document: Document): void {
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<') key.tag = 'tag:yaml.org,2002:str';
    },
  });
}

function yamlText(document: Document, like: string): string {
  return document.toString({
    lineWidth: 0,
    indent: indentOf(like),
    indentSeq: !hasFlushLists(like),
    flowCollectionPadding: /[[{] +\S/.test(like),
  });
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function jsonText(document: Document, like: string): string {
  // JavaScript would round numbers of that many digits; on one line they stay as they are written.
  if (/\d{16}/.test(like))
    return document.toString({
      collectionStyle: 'flow',
      defaultKeyType: 'QUOTE_DOUBLE',
      defaultStringType: 'QUOTE_DOUBLE',
      lineWidth: 0,
    });
  const indent = /\n(\s+)"/.exec(like)?.[1] ?? '';
  return JSON.stringify(document.toJS(), null, indent);
}

/** The first step to the right, which most writers keep to. */
function indentOf(text: string): number {
  const width =
    /^[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)[^\s#-]/m.exec(text)?.[1]
      ?.length;
  return width === undefined || width > 8 ? 2 : width;
}

/** Whether the dashes of lists stand under the key and not to the right of it. */
function hasFlushLists(text: string): boolean {
  const match =
    /^( *)[^\s#-][^\n]*:[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( *)- /m.exec(text);
  return match !== null && match[1] === match[2];
}
