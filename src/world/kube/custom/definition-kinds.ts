import {
  type ApiObject,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
} from '../json.ts';
import type { Kind, PrinterColumn, Subresource } from '../kinds.ts';

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

/** The kinds that a CustomResourceDefinition serves, one per served version. */
export function kindsOfDefinition(definition: ApiObject): readonly Kind[] {
  return listAt(definition, 'spec', 'versions')
    .filter((version) => isObject(version) && version.served === true)
    .map((version) => kindOf(definition, version as JsonObject));
}

function kindOf(definition: ApiObject, version: JsonObject): Kind {
  const group = textAt(definition, 'spec', 'group') ?? '';
  const names = objectAt(definition, 'spec', 'names');
  const plural = textAt(names, 'plural') ?? '';
  return {
    group,
    version: textAt(version, 'name') ?? '',
    kind: textAt(names, 'kind') ?? '',
    plural,
    singular: textAt(names, 'singular') ?? '',
    listKind: textAt(names, 'listKind') ?? '',
    shortNames: listAt(names, 'shortNames').map(String),
    categories: listAt(names, 'categories').map(String),
    isNamespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
    verbs,
    subresources: subresourcesOf(version),
    storage: `${plural}.${group}`,
    schema: objectAt(version, 'schema', 'openAPIV3Schema'),
    printerColumns: listAt(version, 'additionalPrinterColumns').map(columnOf),
    isCustom: true,
    selectableFields: listAt(version, 'selectableFields').map((field) =>
      (textAt(field, 'jsonPath') ?? '').replace(/^\./, ''),
    ),
    scale: scaleOf(version),
    conversion: conversionOf(definition, version),
    deprecation: deprecationOf(definition, version),
  };
}

function conversionOf(definition: ApiObject, version: JsonObject): Kind['conversion'] {
  const conversion = objectAt(definition, 'spec', 'conversion');
  if (version.storage === true || conversion.strategy !== 'Webhook') return undefined;
  const stored = listAt(definition, 'spec', 'versions').find(
    (one) => isObject(one) && one.storage === true,
  );
  return {
    storageVersion: textAt(stored, 'name') ?? '',
    clientConfig: objectAt(conversion, 'webhook', 'clientConfig'),
  };
}

/** In the definition's own words, or in those of the real server. */
function deprecationOf(definition: ApiObject, version: JsonObject): string | undefined {
  if (version.deprecated !== true) return undefined;
  const given = textAt(version, 'deprecationWarning');
  if (given !== undefined) return given;
  const group = textAt(definition, 'spec', 'group') ?? '';
  const kind = textAt(definition, 'spec', 'names', 'kind') ?? '';
  return `${group}/${textAt(version, 'name')} ${kind} is deprecated`;
}

function subresourcesOf(version: JsonObject): readonly Subresource[] {
  const declared = objectAt(version, 'subresources');
  const all: Subresource[] = [];
  const some = ['get', 'patch', 'update'];
  if (declared.status !== undefined) all.push({ name: 'status', verbs: some });
  if (declared.scale !== undefined) {
    all.push({ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: some });
  }
  return all;
}

function scaleOf(version: JsonObject): Kind['scale'] {
  const scale = objectAt(version, 'subresources').scale;
  if (!isObject(scale)) return undefined;
  return {
    specReplicasPath: textAt(scale, 'specReplicasPath') ?? '',
    statusReplicasPath: textAt(scale, 'statusReplicasPath') ?? '',
    labelSelectorPath: textAt(scale, 'labelSelectorPath'),
  };
}

function columnOf(column: Json): PrinterColumn {
  const priority = objectAt(column).priority;
  return {
    name: textAt(column, 'name') ?? '',
    type: textAt(column, 'type') ?? 'string',
    jsonPath: textAt(column, 'jsonPath') ?? '',
    format: textAt(column, 'format'),
    description: textAt(column, 'description'),
    priority: typeof priority === 'number' ? priority : undefined,
  };
}
