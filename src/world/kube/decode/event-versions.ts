import type { ApiObject, Json, JsonObject } from '../json.ts';

/** Core fields of an Event and what `events.k8s.io/v1` calls them. */
const names: readonly (readonly [core: string, newer: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['reportingComponent', 'reportingController'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
];

/** An `events.k8s.io/v1` Event as it is stored, in the form of the core group. */
export function toCoreEvent(event: ApiObject): ApiObject {
  return renamed(event, new Map(names.map(([core, newer]) => [newer, core])));
}

/** The inverse of `toCoreEvent`. */
export function toNewerEvent(event: ApiObject): ApiObject {
  return renamed(event, new Map(names));
}

function renamed(event: JsonObject, newNames: ReadonlyMap<string, string>): ApiObject {
  const result: Record<string, Json | undefined> = {};
  for (const [key, value] of Object.entries(event)) result[newNames.get(key) ?? key] = value;
  return result as unknown as ApiObject;
}
