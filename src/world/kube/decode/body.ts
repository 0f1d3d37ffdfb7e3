import { Buffer } from 'node:buffer';
import { type DocumentOptions, type ParseOptions, parse, type SchemaOptions } from 'yaml';
import type { HttpRequest } from '../../../ports/http.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { badRequest, unsupportedMediaType } from '../status/status.ts';
import { decodeProtobuf } from './protobuf.ts';

export interface Body {
  readonly text: string;
  readonly value: Json;
}

const protobuf = 'application/vnd.kubernetes.protobuf';
const accepted = ['application/json', 'application/yaml', protobuf];

/** The media type of the body, without parameters; JSON when nothing is said. */
export function mediaType(request: HttpRequest): string {
  const [type = ''] = (request.headers['content-type'] ?? 'application/json').split(';');
  return type.trim().toLowerCase();
}

/** The body of a create, update or delete. An empty one is undefined. */
export function readBody(request: HttpRequest): Body | undefined {
  const type = mediaType(request);
  if (type === protobuf) return { text: '', value: decodeProtobuf(bodyBytes(request)) };
  const text = bodyText(request);
  if (text.trim() === '') return undefined;
  if (type === 'application/yaml') return { text: '', value: parseYaml(text) };
  if (type !== 'application/json' && type !== '') throw unsupportedMediaType(accepted);
  return { text, value: parseJson(text) };
}

/** The same, where there must be an object. */
export function readObject(request: HttpRequest): {
  readonly text: string;
  readonly value: JsonObject;
} {
  const body = readBody(request);
  if (body === undefined || !isObject(body.value)) {
    throw badRequest('the body of the request must be an object');
  }
  return { text: body.text, value: body.value };
}

export function bodyText({ body }: HttpRequest): string {
  if (body === undefined) return '';
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}

function bodyBytes({ body }: HttpRequest): Uint8Array {
  // Whoever hands over a string has one character a byte, which is all that a string can carry.
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : (body ?? new Uint8Array());
}

/** No object of the API comes near this; much deeper, and whoever walks it runs out of stack. */
const deepestNesting = 1000;

export function parseJson(text: string): Json {
  if (isTooDeep(text)) {
    throw badRequest(
      `the object provided is unrecognized: it is nested more than ${deepestNesting} times`,
    );
  }
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw badRequest(
      `the object provided is unrecognized: couldn't get version/kind; json parse error: ${error.message}`,
    );
  }
}

/** Counts brackets outside of texts; text that is no JSON is refused later in any case. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let i = 0; i < text.length && depth <= deepestNesting; i++) {
    const char = text[i];
    if (isInText && char === '\\') i++;
    else if (char === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') depth--;
  }
  return depth > deepestNesting;
}

/** Go's parser reads YAML 1.1 (`on` is true), but neither times of day nor dates. */
const yamlOptions: ParseOptions & DocumentOptions & SchemaOptions = {
  // What is odd but readable is no news for whoever runs the server.
  logLevel: 'error',
  version: '1.1',
  merge: true,
  customTags: (tags) =>
    tags.filter(
      (tag) => tag !== 'timestamp' && tag !== 'intTime' && tag !== 'floatTime' && !isTime(tag),
    ),
};

function isTime(tag: unknown): boolean {
  const { tag: name, format } = Object(tag) as { tag?: string; format?: string };
  return name === 'tag:yaml.org,2002:timestamp' || format === 'TIME';
}

/** YAML, of which JSON is a part. */
export function parseYaml(text: string): Json {
  if (text.trimStart().startsWith('{')) return parseJson(text);
  try {
    return parseJson(JSON.stringify(parse(text, yamlOptions)));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badRequest(`error parsing YAML: ${error.message}`);
  }
}
