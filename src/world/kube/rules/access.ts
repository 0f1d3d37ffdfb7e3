import { isEqual, textAt } from '../json.ts';
import { invalid, required } from '../status/field-error.ts';
import type { KindRules } from './rules.ts';

/** Names of roles and bindings may hold colons. */
export const accessRules: KindRules = { nameFormat: 'path' };

export const bindingRules: KindRules = {
  nameFormat: 'path',
  validate: (object) =>
    (textAt(object, 'roleRef', 'name') ?? '') === '' ? [required('roleRef.name')] : [],
  validateUpdate: (object, previous) =>
    isEqual(object.roleRef, previous.roleRef)
      ? []
      : [invalid('roleRef', object.roleRef, 'cannot change roleRef')],
};
