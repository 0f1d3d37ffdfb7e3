import type { Kind, Subresource } from '../kinds.ts';
import type { OpenApiSchema } from './schemas.ts';

/** The paths of one kind with what each of its operations takes; `reference` points at its schema. */
export function pathsOf(kind: Kind, reference: OpenApiSchema): Readonly<Record<string, object>> {
  const base = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope = kind.isNamespaced ? `${base}/namespaces/{namespace}` : base;
  const collection = `${scope}/${kind.plural}`;
  const item = `${collection}/{name}`;
  const about: About = { kind, gvk: gvkOf(kind), reference };
  return {
    ...(kind.isNamespaced && kind.verbs.includes('list')
      ? { [`${base}/${kind.plural}`]: { get: operation(about, 'list') } }
      : {}),
    [collection]: {
      ...operations(about, kind.verbs, { get: 'list', post: 'create', delete: 'deletecollection' }),
      ...(kind.isNamespaced && { parameters: [pathParameter('namespace')] }),
    },
    [item]: {
      ...operations(about, kind.verbs, itemVerbs),
      parameters: itemParameters(kind),
    },
    ...Object.fromEntries(
      kind.subresources.map((subresource) => [
        `${item}/${subresource.name}`,
        subresourcePath(about, subresource),
      ]),
    ),
  };
}

interface About {
  readonly kind: Kind;
  readonly gvk: object;
  readonly reference: OpenApiSchema;
}

const itemVerbs = { get: 'get', put: 'update', patch: 'patch', delete: 'delete' } as const;

function subresourcePath(about: About, subresource: Subresource): object {
  const { kind } = about;
  const gvk = {
    group: subresource.group ?? kind.group,
    version: subresource.version ?? kind.version,
    kind: subresource.kind ?? kind.kind,
  };
  // Bodies of another kind are described where that kind is served, if anywhere.
  const reference = subresource.kind === undefined ? about.reference : { type: 'object' };
  const verbs = { ...itemVerbs, post: 'create' };
  return {
    ...operations({ kind, gvk, reference }, subresource.verbs, verbs),
    parameters: itemParameters(kind),
  };
}

function operations(
  about: About,
  verbs: readonly string[],
  byMethod: Readonly<Record<string, string>>,
): object {
  return Object.fromEntries(
    Object.entries(byMethod)
      .filter(([, verb]) => verbs.includes(verb))
      .map(([method, verb]) => [method, operation(about, verb)]),
  );
}

const actions: Readonly<Record<string, string>> = { create: 'post', update: 'put' };

/** kubectl reads the kind, the parameters and the patch types from here, and nothing else. */
function operation(about: About, verb: string): object {
  const content = { 'application/json': { schema: about.reference } };
  return {
    parameters: parametersOf(verb),
    ...(verb === 'patch' && { requestBody: { content: patchContent(about.kind), required: true } }),
    ...((verb === 'create' || verb === 'update') && { requestBody: { content, required: true } }),
    responses: { '200': { description: 'OK', ...(verb !== 'list' && { content }) } },
    'x-kubernetes-action': actions[verb] ?? verb,
    'x-kubernetes-group-version-kind': about.gvk,
  };
}

function patchContent(kind: Kind): object {
  const types = ['apply-patch+yaml', 'json-patch+json', 'merge-patch+json'];
  // Strategic patches need to know every field, and clients stumble over schemas that do not.
  const isKnown = !kind.isCustom && kind.kind !== 'CustomResourceDefinition';
  if (isKnown) types.push('strategic-merge-patch+json');
  return Object.fromEntries(
    types.map((type) => [`application/${type}`, { schema: { type: 'object' } }]),
  );
}

const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'];
const listParameters = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'timeoutSeconds',
  'watch',
];
const deleteParameters = ['dryRun', 'gracePeriodSeconds', 'propagationPolicy'];

const parameterNames: Readonly<Record<string, readonly string[]>> = {
  create: writeParameters,
  update: writeParameters,
  patch: [...writeParameters, 'force'],
  list: listParameters,
  delete: deleteParameters,
  deletecollection: [...listParameters, ...deleteParameters],
};

function parametersOf(verb: string): readonly object[] {
  return (parameterNames[verb] ?? []).map((name) => ({
    name,
    in: 'query',
    schema: { type: parameterTypes[name] ?? 'string', uniqueItems: true },
  }));
}

const parameterTypes: Readonly<Record<string, string>> = {
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  limit: 'integer',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};

function itemParameters(kind: Kind): readonly object[] {
  const name = pathParameter('name');
  return kind.isNamespaced ? [name, pathParameter('namespace')] : [name];
}

function pathParameter(name: string): object {
  return { name, in: 'path', required: true, schema: { type: 'string', uniqueItems: true } };
}

function gvkOf({ group, version, kind }: Kind): object {
  return { group, version, kind };
}
