import { CloudError } from '../../../ports/cloud-provider.ts';

export interface MimePart {
  readonly contentType: string;
  readonly content: string;
}

export const shellScript = 'text/x-shellscript; charset="us-ascii"';

/** One multipart document; cloud-init and nodeadm read the parts in order. */
export function writeMime(parts: readonly MimePart[]): string {
  const body = parts.map(
    ({ contentType, content }) => `--//\nContent-Type: ${contentType}\n\n${content.trimEnd()}\n`,
  );
  return [
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="//"\n',
    ...body,
    '--//--\n',
  ].join('\n');
}

/** Whether the text is a MIME document already, rather than a script. */
export function isMime(text: string): boolean {
  return /^\s*(MIME-Version|Content-Type):/i.test(text);
}

/** The parts of a user's MIME document. Rejects what is not multipart, which could not be extended. */
export function readMime(text: string): readonly MimePart[] {
  const { headers, body } = splitHeaders(text.replaceAll('\r\n', '\n').trimStart());
  const contentType = headers.get('content-type') ?? '';
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (!contentType.toLowerCase().startsWith('multipart/') || boundary === undefined)
    throw new CloudError(
      'node-class-not-ready',
      'UserDataInvalid',
      'reading userData: a MIME document must be multipart and name its boundary',
    );
  const sections = `\n${body}`.split(`\n--${boundary}`).slice(1);
  return sections
    .filter((section) => !section.startsWith('--'))
    .map((section) => {
      const part = splitHeaders(section.replace(/^[^\n]*\n/, ''));
      return { contentType: part.headers.get('content-type') ?? 'text/plain', content: part.body };
    });
}

function splitHeaders(text: string): {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const end = text.startsWith('\n') ? 0 : text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0)
      headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: end < 0 ? '' : text.slice(end).replace(/^\n+/, '') };
}
