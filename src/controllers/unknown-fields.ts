import type { ConditionStatement } from '../api/conditions.ts';
import { type CustomResourceDefinition, customResourceDefinitions } from '../api/crds.ts';
import type { KubeObject } from '../api/resource.ts';
import {
  droppedFields,
  fieldsKnownCondition,
  type VersionedSchema,
} from '../api/schema/unknown-fields.ts';
import type { OpenApi } from '../api/schema/vocabulary.ts';
import { chartWebhookAddress, withV1beta1 } from '../api/v1beta1/definitions.ts';

/**
 * Says which fields of the applied manifest the API server dropped; undefined when it kept all.
 * `definition` is the name of the object's CRD: `nodepools.karpenter.sh`.
 */
export function unknownFieldsStatement(
  object: KubeObject,
  definition: string,
): ConditionStatement | undefined {
  return fieldsKnownCondition(droppedFields(object, versionsOf(definition)));
}

const made = new Map<string, readonly VersionedSchema[]>();

/** In every version that a manifest may be written in; made once. */
function versionsOf(definition: string): readonly VersionedSchema[] {
  if (made.size === 0) {
    for (const crd of withV1beta1(customResourceDefinitions(), chartWebhookAddress)) {
      made.set(crd.metadata.name, schemasOf(crd));
    }
  }
  return made.get(definition) ?? [];
}

function schemasOf({ spec }: CustomResourceDefinition): readonly VersionedSchema[] {
  const versions = spec.versions as readonly Version[];
  return versions.map(({ name, schema }) => ({
    apiVersion: `${String(spec.group)}/${name}`,
    schema: schema.openAPIV3Schema,
  }));
}

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: OpenApi };
}
