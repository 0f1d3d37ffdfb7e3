import { isList, mapAt, type Path, type Value } from '../../api/value.ts';
import { type HttpHandler, readBody } from '../../ports/http.ts';

export interface Answer {
  readonly status: number;
  readonly body: Value;
}

export interface Refusal {
  readonly path: Path;
  readonly message: string;
}

/** Asks an API server the way kubectl does: reads without an object, and else sends it. */
export async function call(
  handle: HttpHandler,
  path: string,
  object?: object,
  method = object === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const headers = { 'content-type': type, accept: 'application/json' };
  const body = object === undefined ? undefined : JSON.stringify(object);
  const response = await handle({ method, path, headers, body });
  const text = await readBody(response);
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  return { status: response.status, body: isJson ? (JSON.parse(text) as Value) : text };
}

/** Why the object was refused, field by field where the server says so; empty when it was taken. */
export function refusalsOf({ status, body }: Answer): readonly Refusal[] {
  if (status < 400) return [];
  const { causes } = mapAt(body, ['details']);
  const { message } = mapAt(body, []);
  const told = (isList(causes) ? causes : []).flatMap((cause): Refusal[] => {
    const { field, message: text } = mapAt(cause, []);
    // It only says that there may be more to say once the rest is mended.
    if (String(text).includes('some validation rules were not checked')) return [];
    return [{ path: pathOf(String(field ?? '')), message: String(text ?? '') }];
  });
  return told.length > 0 ? told : [{ path: [], message: String(message ?? 'it is refused') }];
}

/** `spec.limits[0].cpu` as steps. Keys with dots stand in brackets and end the path there. */
function pathOf(field: string): Path {
  return field
    .split(/\.|(?=\[)/)
    .filter((step) => step !== '' && step !== '<nil>')
    .map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step));
}
