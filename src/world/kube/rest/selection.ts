import type { ApiObject } from '../json.ts';
import { matchesFields, parseFieldSelector } from '../selector/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '../selector/label-selector.ts';
import type { Call } from './call.ts';

/** Which objects of a collection a request is about. */
export interface Selection {
  /** True when nothing but the namespace narrows it down. */
  readonly isEverything: boolean;
  matches(object: ApiObject): boolean;
}

/** Reads `labelSelector` and `fieldSelector`; a name in the path selects that object alone. */
export function selectionOf(call: Call): Selection {
  const labels = parseLabelSelector(call.query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(call.kind, call.query.get('fieldSelector') ?? '');
  const { name, namespace } = call;
  return {
    isEverything: labels.length === 0 && fields.length === 0 && name === undefined,
    matches: (object) =>
      (name === undefined || object.metadata.name === name) &&
      (namespace === '' || object.metadata.namespace === namespace) &&
      matchesLabels(labels, object.metadata.labels) &&
      matchesFields(fields, object),
  };
}
