import { apiVersionOf } from '../../../api/resource.ts';
import { uuid } from '../../../ports/random.ts';
import {
  type ApiObject,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '../json.ts';
import type { Kind } from '../kinds.ts';
import type { ServerState } from '../objects/state.ts';
import { presented } from '../rest/encode.ts';
import { internalError, type StatusError } from '../status/status.ts';
import type { AskWebhook } from './ask-webhook.ts';

/** Makes objects of one version of a kind from those of another; rejects with a 500. */
export type Convert = (
  objects: readonly ApiObject[],
  from: Kind,
  to: Kind,
) => Promise<readonly ApiObject[]>;

/** Converts by the webhook of the definition, all objects in one question. */
export function createConverter(state: ServerState, ask: AskWebhook): Convert {
  return async (objects, from, to) => {
    if (objects.length === 0) return [];
    const conversion = from.conversion ?? to.conversion;
    const uid = uuid(state.random);
    const review = reviewOf(
      uid,
      objects.map((one) => presented(from, one)),
      apiVersionOf(to),
    );
    const answer = await asked(
      () => ask((conversion?.clientConfig ?? {}) as JsonObject, review),
      to,
    );
    const converted = convertedObjects(answer, { uid, count: objects.length, to });
    return converted.map((one, i) => kept(one, objects[i], to));
  };
}

function reviewOf(
  uid: string,
  objects: readonly JsonObject[],
  desiredAPIVersion: string,
): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    request: { uid, desiredAPIVersion, objects },
  };
}

async function asked(ask: () => Promise<JsonObject>, kind: Kind): Promise<JsonObject> {
  try {
    return await ask();
  } catch (error) {
    throw failed(kind, error instanceof Error ? error.message : String(error));
  }
}

interface Expected {
  readonly uid: string;
  readonly count: number;
  readonly to: Kind;
}

function convertedObjects(answer: JsonObject, { uid, count, to }: Expected): readonly Json[] {
  const response = objectAt(answer, 'response');
  if (response.uid !== uid) throw failed(to, 'the answer is to another question');
  if (textAt(response, 'result', 'status') !== 'Success') {
    throw failed(to, textAt(response, 'result', 'message') ?? 'no reason was given');
  }
  const objects = listAt(response, 'convertedObjects');
  if (objects.length !== count) {
    throw failed(to, `returned ${objects.length} objects, expected ${count}`);
  }
  return objects;
}

/** A webhook may change labels and annotations; all other metadata is the server's own. */
function kept(converted: Json, before: ApiObject | undefined, to: Kind): ApiObject {
  if (!isObject(converted) || converted.apiVersion !== apiVersionOf(to)) {
    throw failed(to, `returned something else than a ${apiVersionOf(to)}`);
  }
  const { apiVersion: _version, kind: _kind, metadata, ...content } = converted;
  const { labels: _labels, annotations: _annotations, ...own } = before?.metadata ?? { name: '' };
  const { labels, annotations } = objectAt(metadata);
  const marks = { ...(labels && { labels }), ...(annotations && { annotations }) };
  return { ...content, metadata: { ...own, ...marks } } as ApiObject;
}

function failed(kind: Kind, why: string): StatusError {
  const name = `${apiVersionOf(kind)}, Kind=${kind.kind}`;
  return internalError(`conversion webhook for ${name} failed: ${why}`);
}
