import { Buffer } from 'node:buffer';
import { type ApiObject, isEqual, objectAt } from '../json.ts';
import { type FieldError, forbidden } from '../status/field-error.ts';
import { filled, type KindRules, unchanged } from './rules.ts';

export const secretRules: KindRules = {
  defaults: (object) => {
    const { stringData, ...rest } = object;
    const data = { ...objectAt(object, 'data') };
    for (const [key, text] of Object.entries(objectAt(object, 'stringData'))) {
      data[key] = Buffer.from(String(text)).toString('base64');
    }
    const whole = stringData === undefined ? object : { ...rest, data };
    return filled(whole as ApiObject, { type: 'Opaque' });
  },
  validateUpdate: (object, previous) => [
    ...unchanged(object, previous, ['type']),
    ...frozenErrors(object, previous),
  ],
};

export const configMapRules: KindRules = { validateUpdate: frozenErrors };

/** `immutable: true` freezes the data of a config map or secret for good. */
function frozenErrors(object: ApiObject, previous: ApiObject): readonly FieldError[] {
  if (previous.immutable !== true) return [];
  if (object.immutable !== true) {
    return [forbidden('immutable', 'field is immutable when `immutable` is set')];
  }
  return ['data', 'binaryData']
    .filter((key) => !isEqual(object[key], previous[key]))
    .map((key) => forbidden(key, 'field is immutable when `immutable` is set'));
}
