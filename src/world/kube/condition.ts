import { type ApiObject, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';

/** The object with a condition of that type, in the place of a former one. */
export function withCondition(object: ApiObject, condition: JsonObject): ApiObject {
  const conditions = listAt(object, 'status', 'conditions');
  const index = conditions.findIndex((one) => objectAt(one).type === condition.type);
  const next = index < 0 ? [...conditions, condition] : conditions.toSpliced(index, 1, condition);
  return { ...object, status: { ...objectAt(object, 'status'), conditions: next } };
}

/** Whether the named condition is there with status `True`. */
export function hasTrueCondition(object: Json | undefined, type: string): boolean {
  return listAt(object, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === type && textAt(condition, 'status') === 'True',
  );
}
