import type { KubeObject, Resource } from '../resource.ts';
import type { PrinterColumn } from './printer-column.ts';
import type { OpenApi, Schema } from './vocabulary.ts';

/** A CustomResourceDefinition, ready to be applied. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: OpenApi;
}

/** What a definition says beyond the place of its resource. */
export interface DefinitionParts {
  readonly description: string;
  readonly schema: { readonly spec: Schema<unknown>; readonly status: Schema<unknown> };
  /** Top-level fields that must be there. */
  readonly required: readonly 'spec'[];
  readonly columns: readonly PrinterColumn[];
  readonly category: string;
  readonly shortNames?: readonly string[];
  readonly scale?: OpenApi;
}

/** The definition of one resource in one version, which is served and stored. */
export function definition(resource: Resource, parts: DefinitionParts): CustomResourceDefinition {
  const { group, plural, kind } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: resource.isNamespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        categories: [parts.category],
        ...(parts.shortNames === undefined ? {} : { shortNames: parts.shortNames }),
      },
      versions: [definitionVersion(resource.version, parts)],
    },
  };
}

function definitionVersion(version: string, parts: DefinitionParts): OpenApi {
  return {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema: wholeSchema(parts) },
    subresources: { status: {}, ...(parts.scale === undefined ? {} : { scale: parts.scale }) },
    additionalPrinterColumns: parts.columns,
  };
}

/** The schema of the whole object, with the fields that every object has. */
export function wholeSchema(
  parts: Pick<DefinitionParts, 'description' | 'schema' | 'required'>,
): OpenApi {
  return {
    type: 'object',
    description: parts.description,
    ...(parts.required.length > 0 ? { required: parts.required } : {}),
    properties: {
      apiVersion: { type: 'string', description: 'The group and version of this object.' },
      kind: { type: 'string', description: 'The kind of this object.' },
      metadata: { type: 'object' },
      spec: { description: 'What is wanted.', ...parts.schema.spec.openApi },
      status: { description: 'What is.', ...parts.schema.status.openApi },
    },
  };
}
