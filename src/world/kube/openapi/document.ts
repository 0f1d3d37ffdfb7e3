import { builtInShape } from '../../../api/shape/built-in.ts';
import type { ObjectShape } from '../../../api/shape/shape.ts';
import type { Kind } from '../kinds.ts';
import { shapeOf } from '../shape/shape-of.ts';
import { descriptionOf } from './descriptions.ts';
import { pathsOf } from './paths.ts';
import { type OpenApiSchema, SchemaCollection } from './schemas.ts';

/** The OpenAPI v3 document of one group version: its paths and the schemas of its kinds. */
export function describeGroupVersion(kinds: readonly Kind[]): object {
  const schemas = new SchemaCollection();
  const paths: Record<string, object> = {};
  for (const kind of kinds) {
    const name = kindComponent(kind);
    schemas.add(name, {
      ...kindSchema(kind, schemas),
      'x-kubernetes-group-version-kind': [
        { group: kind.group, version: kind.version, kind: kind.kind },
      ],
    });
    Object.assign(paths, pathsOf(kind, { $ref: `#/components/schemas/${name}` }));
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1' },
    paths,
    components: { schemas: schemas.all() },
  };
}

/** `io.k8s.api.apps.v1.Deployment`, `sh.karpenter.v1.NodePool`. */
function kindComponent(kind: Kind): string {
  if (kind.isCustom) {
    return [...kind.group.split('.').reverse(), kind.version, kind.kind].join('.');
  }
  const [group = ''] = (kind.group === '' ? 'core' : kind.group).split('.');
  return `io.k8s.api.${group}.${kind.version}.${kind.kind}`;
}

function kindSchema(kind: Kind, schemas: SchemaCollection): OpenApiSchema {
  if (kind.isCustom) return customSchema(kind.schema ?? {}, schemas);
  const shape = shapeOf(kind);
  return shape.type === 'object' ? schemas.object(shape, typeFields()) : { type: 'object' };
}

function customSchema(schema: object, schemas: SchemaCollection): OpenApiSchema {
  const given = schema as { readonly properties?: object };
  const metadata = schemas.refer(builtInShape('ObjectMeta') as ObjectShape);
  const description = descriptionOf('', 'metadata');
  return {
    type: 'object',
    ...given,
    properties: {
      ...given.properties,
      ...typeFields(),
      metadata: { ...(description !== undefined && { description }), allOf: [metadata] },
    },
  };
}

function typeFields(): OpenApiSchema {
  const field = (name: string): object => ({
    description: descriptionOf('', name) ?? '',
    type: 'string',
  });
  return { apiVersion: field('apiVersion'), kind: field('kind') };
}
