/**
 * The first entry that can be answered: one without `as`, or one whose `as`, `g` and `v` are
 * among the transformations on offer. Undefined when the client accepts nothing on offer.
 */
export function negotiate(
  accept: string | undefined,
  offers: readonly Transformation[],
): Transformation | 'plain' | undefined {
  const ranges = parseAccept(accept);
  if (ranges.length === 0) return 'plain';
  for (const range of ranges) {
    if (!isJson(range.type)) continue;
    const { as, g, v } = range.parameters;
    if (as === undefined) return 'plain';
    const offer = offers.find((each) => each.as === as && each.group === g && each.version === v);
    if (offer !== undefined) return offer;
  }
  return undefined;
}

/** Another shape in which an answer can be had. */
export interface Transformation {
  readonly as: string;
  readonly group: string;
  readonly version: string;
}

/** One entry of an Accept header: `application/json;as=Table;v=v1;g=meta.k8s.io`. */
interface MediaRange {
  /** `application/json`, in lower case. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** In the client's order: Kubernetes clients use no weights. */
function parseAccept(accept: string | undefined): readonly MediaRange[] {
  return (accept ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRange);
}

function parseRange(entry: string): MediaRange {
  const [type = '', ...rest] = entry.split(';').map((part) => part.trim());
  const pairs = rest.map((part): [string, string] => {
    const equals = part.indexOf('=');
    return equals < 0 ? [part, ''] : [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
  });
  return { type: type.toLowerCase(), parameters: Object.fromEntries(pairs) };
}

function isJson(type: string): boolean {
  return type === 'application/json' || type === 'application/*' || type === '*/*';
}
