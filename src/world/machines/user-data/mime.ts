export interface MimePart {
  /** Without parameters, in lower case. */
  readonly contentType: string;
  readonly body: string;
}

/** The parts of a multipart message in order, nested ones in place; undefined if it is none. */
export function mimeParts(text: string): readonly MimePart[] | undefined {
  const { headers, body } = splitHeaders(text);
  const contentType = headers.get('content-type') ?? '';
  const boundary = /boundary="?([^";\r\n]+)"?/i.exec(contentType)?.[1];
  if (!contentType.toLowerCase().startsWith('multipart/') || boundary === undefined)
    return undefined;
  // The delimiter starts a line; the text before the first one is a preamble for people.
  const pieces = `\n${body}`.split(`\n--${boundary}`).slice(1);
  const parts: MimePart[] = [];
  for (const piece of pieces) {
    if (piece.startsWith('--')) break;
    parts.push(...onePart(piece.replace(/^[^\n]*\n/, '')));
  }
  return parts;
}

function onePart(text: string): readonly MimePart[] {
  const nested = mimeParts(text);
  if (nested !== undefined) return nested;
  const { headers, body } = splitHeaders(text);
  const contentType = (headers.get('content-type') ?? 'text/plain').split(';')[0] ?? '';
  const isBase64 = headers.get('content-transfer-encoding')?.toLowerCase() === 'base64';
  return [
    {
      contentType: contentType.trim().toLowerCase(),
      body: isBase64 ? Buffer.from(body, 'base64').toString('utf8') : body,
    },
  ];
}

function splitHeaders(text: string): {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const lines = text.replaceAll('\r\n', '\n').replace(/^\n+/, '').split('\n');
  const headers = new Map<string, string>();
  let last = '';
  let index = 0;
  for (; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
    if (match !== null) {
      last = (match[1] ?? '').toLowerCase();
      headers.set(last, match[2] ?? '');
    } else if (/^[ \t]+\S/.test(line) && last !== '') {
      headers.set(last, `${headers.get(last)} ${line.trim()}`);
    } else break;
  }
  const isBlank = (lines[index] ?? '').trim() === '';
  return { headers, body: lines.slice(isBlank ? index + 1 : index).join('\n') };
}
