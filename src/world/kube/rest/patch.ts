import type { Shape } from '../../../api/shape/shape.ts';
import type { HttpRequest, HttpResponse } from '../../../ports/http.ts';
import { bodyText, mediaType, parseJson, parseYaml } from '../decode/body.ts';
import { decodeObject } from '../decode/object.ts';
import { type ApiObject, isObject, type Json, type JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import type { ServerState } from '../objects/state.ts';
import { updateObject } from '../objects/update.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { applyStrategicMerge } from '../patch/strategic-merge.ts';
import { shapeOf } from '../shape/shape-of.ts';
import { invalid } from '../status/field-error.ts';
import {
  badRequest,
  invalidObject,
  StatusError,
  unsupportedMediaType,
  warning,
} from '../status/status.ts';
import { applyObject } from './apply.ts';
import { type Call, fieldValidation, objectName, writeOptions } from './call.ts';
import { presented } from './encode.ts';
import { json } from './respond.ts';
import type { View } from './view.ts';

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const applyPatch = 'application/apply-patch+yaml';

/** Answers PATCH in whichever of the four forms it comes. */
export function patchObject(state: ServerState, call: Call, view: View): HttpResponse {
  const type = mediaType(call.request);
  if (type === applyPatch) {
    return applyObject(state, call, { view, body: parseYaml(bodyText(call.request)) });
  }
  const patch = readPatch(call.request, call.kind);
  const warnings: string[] = [];
  const change = (current: ApiObject): ApiObject => {
    const patched = patch(presented(call.kind, current), shapeOf(call.kind));
    return readPatched(call, patched, warnings);
  };
  const { kind } = call;
  const name = objectName(call);
  const object = warning(warnings, () =>
    updateObject(state, { kind, name, options: writeOptions(call), change }),
  );
  return json(200, view.one(call.kind, object), warnings);
}

type PatchFunction = (target: JsonObject, shape: Shape) => Json;

/** The patch of a body as a function; a 415 for a form that the kind does not take. */
export function readPatch(request: HttpRequest, kind: Kind): PatchFunction {
  const type = mediaType(request);
  const accepted = kind.isCustom
    ? [jsonPatch, mergePatch, applyPatch]
    : [jsonPatch, mergePatch, strategicPatch, applyPatch];
  if (!accepted.includes(type)) {
    if (kind.isCustom) throw unsupportedMediaType(accepted);
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  }
  const body = parseJson(bodyText(request));
  if (type === jsonPatch) return (target) => applyJsonPatch(target, body);
  if (!isObject(body)) throw badRequest('the body of a patch must be an object');
  if (type === mergePatch) return (target) => applyMergePatch(target, body);
  return (target, shape) => applyStrategicMerge(target, body, shape);
}

function readPatched(call: Call, patched: Json, warnings: string[]): ApiObject {
  if (!isObject(patched)) throw badRequest('the patched value is no object');
  const asked = fieldValidation(call.query);
  const isStrict = asked === 'Strict';
  const decoded = decodeObject(call.kind, patched, { validation: isStrict ? 'Warn' : asked });
  if (isStrict && decoded.warnings.length > 0) throw notStrict(patched, decoded.warnings);
  warnings.push(...decoded.warnings);
  const { name } = decoded.object.metadata;
  if (name !== call.name) {
    throw badRequest(
      `the name of the object (${name}) does not match the name on the URL (${call.name})`,
    );
  }
  return decoded.object;
}

/** The real server blames the patch, and names no object. */
function notStrict(patched: JsonObject, problems: readonly string[]): StatusError {
  const text = `strict decoding error: ${problems.join(', ')}`;
  const error = invalid('patch', JSON.stringify(patched), text);
  return invalidObject({ group: '', kind: '' }, '', [error]);
}
