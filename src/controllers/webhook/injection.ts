import type { CustomResourceDefinition } from '../../api/crds.ts';
import type { Resource } from '../../api/resource.ts';
import {
  conversionBy,
  definitionsWithV1beta1,
  type WebhookAddress,
} from '../../api/v1beta1/definitions.ts';
import type { KubeClient } from '../../ports/kube.ts';
import type { Log } from '../../ports/log.ts';

const definitions: Resource<CustomResourceDefinition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  isNamespaced: false,
};

/**
 * Tells the API server who converts and whom to trust there, in every definition that serves
 * v1beta1; those of v1 alone are left as they are. Safe to repeat; writes only what is new.
 */
export async function injectTrust(
  { kube, log }: { readonly kube: KubeClient; readonly log: Log },
  address: WebhookAddress,
  caPem: string,
): Promise<void> {
  const caBundle = Buffer.from(caPem, 'utf8').toString('base64');
  const conversion = conversionBy(address, caBundle);
  for (const name of definitionsWithV1beta1) {
    const definition = await kube.get(definitions, { name });
    if (definition === undefined || !servesV1beta1(definition)) continue;
    if (says(definition.spec.conversion, conversion)) continue;
    const { resourceVersion } = definition.metadata;
    // Replaced as a whole: a merge would leave the Service beside a URL, and they exclude each other.
    const body = [
      { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/spec/conversion', value: conversion },
    ];
    await kube.patch(definitions, { name }, { type: 'json', body });
    log.info('told the API server whom to ask for conversion', { definition: name });
  }
}

function servesV1beta1({ spec }: CustomResourceDefinition): boolean {
  const versions = (spec.versions ?? []) as readonly Version[];
  return versions.some(({ name, served }) => name === 'v1beta1' && served);
}

interface Version {
  readonly name: string;
  readonly served: boolean;
}

/** Whether everything that is wanted stands there; the server may have filled in more. */
function says(present: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return present === wanted;
  if (typeof present !== 'object' || present === null) return false;
  return Object.entries(wanted).every(([key, value]) => says(Reflect.get(present, key), value));
}
