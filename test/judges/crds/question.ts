import { createSeededRandom } from '../../../src/adapters/system/seeded-random.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import type { CustomResourceDefinition } from '../../../src/api/schema/definition.ts';
import { integerBelow, type Random } from '../../../src/ports/random.ts';
import type { Json, JsonObject } from '../../../src/world/kube/json.ts';
import type { JsonSchema } from '../../../src/world/kube/schema/schema.ts';
import { mutant } from './mutation.ts';
import type { Samples } from './samples.ts';

/** A request that changes nothing, for servers to judge. */
export interface Question {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly type: string;
  readonly body: Json;
}

export interface Counts {
  readonly creates: number;
  readonly updates: number;
  readonly statuses: number;
}

/** Mutants of the samples as requests: new objects, changed specs, changed statuses. */
export function questions(
  samples: Samples,
  definition: CustomResourceDefinition,
  { seed, counts }: { readonly seed: number; readonly counts: Counts },
): readonly Question[] {
  const random = createSeededRandom(seed);
  const { spec, status } = schemaOf(definition).properties ?? {};
  const times = <T>(count: number, make: () => T): readonly T[] =>
    Array.from({ length: count }, make);
  return [
    ...times(counts.creates, () => create(samples, spec ?? {}, random)),
    ...times(counts.updates, () => update(samples, spec ?? {}, random)),
    ...times(counts.statuses, () => statusUpdate(samples, status ?? {}, random)),
  ];
}

/** The objects that updates are about: `sample-0` has the first spec of the samples, and so on. */
export function storedSamples({ resource, specs }: Samples): readonly JsonObject[] {
  return specs.map((spec, i) => ({ ...headOf(resource, `sample-${i}`), spec }));
}

/** Where the objects of a resource are: `/apis/karpenter.sh/v1/nodepools`. */
export function collectionOf(resource: Resource): string {
  const namespace = resource.isNamespaced ? '/namespaces/default' : '';
  return `/apis/${apiVersionOf(resource)}${namespace}/${resource.plural}`;
}

function schemaOf({ spec }: CustomResourceDefinition): JsonSchema {
  const { versions } = spec as { versions: readonly { schema: { openAPIV3Schema: JsonSchema } }[] };
  return versions[0]?.schema.openAPIV3Schema ?? {};
}

function headOf(resource: Resource, name: string): JsonObject {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name } };
}

function create({ resource, specs }: Samples, schema: JsonSchema, random: Random): Question {
  const spec = mutant(pick(random, specs), schema, random);
  const body = { ...headOf(resource, 'mutant'), ...(isOneIn(200, random) ? {} : { spec }) };
  return {
    method: 'POST',
    path: `${collectionOf(resource)}?dryRun=All${validation(random)}`,
    type: 'application/json',
    body,
  };
}

function update({ resource, specs }: Samples, schema: JsonSchema, random: Random): Question {
  const i = integerBelow(random, specs.length);
  // Changes between two samples cross what mutations of one rarely reach.
  const base = isOneIn(4, random) ? pick(random, specs) : (specs[i] ?? {});
  const value = isOneIn(10, random) ? base : mutant(base, schema, random);
  return {
    method: 'PATCH',
    path: `${collectionOf(resource)}/sample-${i}?dryRun=All${validation(random)}`,
    type: 'application/json-patch+json',
    body: [{ op: 'replace', path: '/spec', value }],
  };
}

function statusUpdate(
  { resource, statuses }: Samples,
  schema: JsonSchema,
  random: Random,
): Question {
  const value = mutant(pick(random, statuses), schema, random);
  return {
    method: 'PATCH',
    path: `${collectionOf(resource)}/sample-0/status?dryRun=All${validation(random)}`,
    type: 'application/json-patch+json',
    body: [{ op: 'add', path: '/status', value }],
  };
}

function validation(random: Random): string {
  return `&fieldValidation=${pick(random, ['Strict', 'Warn', 'Ignore'])}`;
}

function isOneIn(count: number, random: Random): boolean {
  return integerBelow(random, count) === 0;
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[integerBelow(random, from.length)] as T;
}
