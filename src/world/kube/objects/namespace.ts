import { type ApiObject, listAt, objectAt } from '../json.ts';

export function isTerminating(namespace: ApiObject): boolean {
  return namespace.metadata.deletionTimestamp !== undefined;
}

/** A namespace goes once its own finalizers, which guard its content, are gone too. */
export function isEmptied(namespace: ApiObject): boolean {
  return listAt(namespace, 'spec', 'finalizers').length === 0;
}

export function withPhase(namespace: ApiObject, phase: string): ApiObject {
  return { ...namespace, status: { ...objectAt(namespace, 'status'), phase } };
}
