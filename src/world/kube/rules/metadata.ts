import { type ApiObject, isEqual, type Metadata, textAt } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { type FieldError, forbidden, invalid, required } from '../status/field-error.ts';
import {
  keyProblem,
  labelNameProblem,
  labelValueProblem,
  pathNameProblem,
  subdomainProblem,
} from './names.ts';
import type { KindRules } from './rules.ts';

/** What is wrong with the metadata of any object. */
export function metadataErrors(
  kind: Kind,
  rules: KindRules,
  object: ApiObject,
): readonly FieldError[] {
  const { metadata } = object;
  return [
    ...nameErrors(metadata.name, rules),
    ...namespaceErrors(kind, metadata.namespace ?? ''),
    ...labelErrors(metadata.labels ?? {}),
    ...annotationErrors(metadata.annotations ?? {}),
    ...ownerErrors(metadata),
  ];
}

function nameErrors(name: string, { nameFormat }: KindRules): readonly FieldError[] {
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  const problems = { label: labelNameProblem, path: pathNameProblem, subdomain: subdomainProblem };
  const problem = problems[nameFormat ?? 'subdomain'](name);
  return problem === undefined ? [] : [invalid('metadata.name', name, problem)];
}

function namespaceErrors(kind: Kind, namespace: string): readonly FieldError[] {
  if (kind.isNamespaced === (namespace !== '')) return [];
  if (kind.isNamespaced) return [required('metadata.namespace')];
  return [forbidden('metadata.namespace', 'not allowed on this type')];
}

function labelErrors(labels: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => {
    const badKey = keyProblem(key);
    const badValue = labelValueProblem(String(value));
    return [
      ...(badKey === undefined ? [] : [invalid('metadata.labels', key, badKey)]),
      ...(badValue === undefined ? [] : [invalid('metadata.labels', value, badValue)]),
    ];
  });
}

function annotationErrors(annotations: Readonly<Record<string, string>>): readonly FieldError[] {
  return Object.keys(annotations).flatMap((key) => {
    const problem = keyProblem(key.toLowerCase());
    return problem === undefined ? [] : [invalid('metadata.annotations', key, problem)];
  });
}

function ownerErrors(metadata: Metadata): readonly FieldError[] {
  const owners = metadata.ownerReferences ?? [];
  const errors = owners.flatMap((owner, i) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((field) => (textAt(owner, field) ?? '') === '')
      .map((field) => invalid(`metadata.ownerReferences[${i}].${field}`, '', 'must not be empty')),
  );
  const controllers = owners.filter((owner) => owner.controller === true);
  if (controllers.length < 2) return errors;
  const text = 'Only one reference can have Controller set to true.';
  return [...errors, invalid('metadata.ownerReferences', owners, text)];
}

/** What an update may not do to the metadata. */
export function metadataUpdateErrors(
  object: ApiObject,
  previous: ApiObject,
): readonly FieldError[] {
  const fixed = ['name', 'namespace', 'uid', 'creationTimestamp'];
  const errors = fixed
    .filter((field) => !isEqual(object.metadata[field], previous.metadata[field]))
    .map((field) => invalid(`metadata.${field}`, object.metadata[field], 'field is immutable'));
  if (previous.metadata.deletionTimestamp === undefined) return errors;
  const known = previous.metadata.finalizers ?? [];
  const added = (object.metadata.finalizers ?? []).filter((one) => !known.includes(one)).sort();
  if (added.length === 0) return errors;
  const list = JSON.stringify(added).replaceAll(',', ', ');
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.slice(1, -1)}}`;
  return [...errors, forbidden('metadata.finalizers', text)];
}
