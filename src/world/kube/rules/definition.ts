import { timestamp } from '../../../api/timestamp.ts';
import {
  type ApiObject,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '../json.ts';
import { type FieldError, invalid, required, unsupported } from '../status/field-error.ts';
import { filled, type KindRules, type RuleWorld } from './rules.ts';

/** Keeps a definition until its last object is gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

export const definitionRules: KindRules = {
  hasGeneration: true,
  needsVersion: true,
  defaults: (definition) => {
    const spec = filled(objectAt(definition, 'spec'), { conversion: { strategy: 'None' } });
    const names = objectAt(spec, 'names');
    const kind = textAt(names, 'kind') ?? '';
    const whole = filled(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
    return { ...definition, spec: { ...spec, names: whole } };
  },
  onCreate: (definition, world) => ({
    ...definition,
    status: establishedStatus(definition, world),
  }),
  onUpdate: (definition, previous) => {
    const status = objectAt(previous, 'status');
    const stored = new Set([...listAt(status, 'storedVersions'), ...storageVersions(definition)]);
    const acceptedNames = objectAt(definition, 'spec', 'names');
    return { ...definition, status: { ...status, acceptedNames, storedVersions: [...stored] } };
  },
  validate: definitionErrors,
};

/** The real server sets these within a second, from loops of its own. */
function establishedStatus(definition: ApiObject, world: RuleWorld): ApiObject['status'] {
  const lastTransitionTime = timestamp(world.nowMs);
  return {
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'True',
        lastTransitionTime,
        reason: 'NoConflicts',
        message: 'no conflicts found',
      },
      {
        type: 'Established',
        status: 'True',
        lastTransitionTime,
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
    ],
    acceptedNames: objectAt(definition, 'spec', 'names'),
    storedVersions: storageVersions(definition),
  };
}

function storageVersions(definition: ApiObject): readonly string[] {
  return listAt(definition, 'spec', 'versions')
    .filter((version) => isObject(version) && version.storage === true)
    .map((version) => textAt(version, 'name') ?? '');
}

function definitionErrors(definition: ApiObject): readonly FieldError[] {
  const spec = objectAt(definition, 'spec');
  const group = textAt(spec, 'group') ?? '';
  const plural = textAt(spec, 'names', 'plural') ?? '';
  const errors: FieldError[] = [];
  if (definition.metadata.name !== `${plural}.${group}`) {
    const text = 'must be spec.names.plural+"."+spec.group';
    errors.push(invalid('metadata.name', definition.metadata.name, text));
  }
  if (group === '') errors.push(required('spec.group'));
  if (spec.scope !== 'Cluster' && spec.scope !== 'Namespaced') {
    errors.push(unsupported('spec.scope', spec.scope, ['Cluster', 'Namespaced']));
  }
  for (const name of ['plural', 'kind']) {
    if ((textAt(spec, 'names', name) ?? '') === '') errors.push(required(`spec.names.${name}`));
  }
  return [
    ...errors,
    ...versionErrors(listAt(spec, 'versions')),
    ...conversionErrors(objectAt(spec, 'conversion')),
  ];
}

/** A webhook is reached by a URL or through a Service, and says which reviews it understands. */
function conversionErrors(conversion: JsonObject): readonly FieldError[] {
  const { strategy = 'None' } = conversion;
  if (strategy === 'None') return [];
  if (strategy !== 'Webhook') {
    return [unsupported('spec.conversion.strategy', strategy, ['None', 'Webhook'])];
  }
  const path = 'spec.conversion.webhookClientConfig';
  const config = objectAt(conversion, 'webhook').clientConfig;
  if (!isObject(config)) return [required(path, 'required when strategy is set to Webhook')];
  const errors: FieldError[] = [];
  if ((config.url === undefined) === (config.service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  }
  if (listAt(conversion, 'webhook', 'conversionReviewVersions').length === 0) {
    errors.push(required('spec.conversion.conversionReviewVersions'));
  }
  return errors;
}

function versionErrors(versions: readonly Json[]): readonly FieldError[] {
  const stored = versions.filter((version) => isObject(version) && version.storage === true);
  const errors: FieldError[] = [];
  if (stored.length !== 1) {
    const text = 'must have exactly one version marked as storage version';
    errors.push(invalid('spec.versions', versions, text));
  }
  versions.forEach((version, i) => {
    const path = `spec.versions[${i}].schema.openAPIV3Schema`;
    const schema = objectAt(version, 'schema').openAPIV3Schema;
    if (!isObject(schema)) errors.push(required(path, 'schemas are required'));
    else if (schema.type !== 'object') {
      errors.push(invalid(`${path}.type`, schema.type ?? '', 'must be object at the root'));
    }
  });
  return errors;
}
