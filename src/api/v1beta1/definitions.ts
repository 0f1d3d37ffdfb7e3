import { type CustomResourceDefinition, wholeSchema } from '../schema/definition.ts';
import {
  ageColumn,
  countColumn,
  fieldColumn,
  labelColumn,
  type PrinterColumn,
  readyColumn,
  wide,
} from '../schema/printer-column.ts';
import type { OpenApi } from '../schema/vocabulary.ts';
import { v1beta1Ec2NodeClassSchema } from './ec2-node-class.ts';
import { v1beta1NodeClaimSchema } from './node-claim.ts';
import { v1beta1NodePoolSchema } from './node-pool.ts';

/** How the API server reaches the webhook: through a Service, or by an address outside the cluster. */
export type WebhookAddress =
  | {
      readonly kind: 'service';
      readonly name: string;
      readonly namespace: string;
      readonly port: number;
    }
  | { readonly kind: 'url'; readonly url: string };

/** Where the chart puts the webhook; the controller writes its own address over it. */
export const chartWebhookAddress: WebhookAddress = {
  kind: 'service',
  name: 'karpenter',
  namespace: 'kube-system',
  port: 8443,
};

/** The path at which the webhook converts. */
export const conversionPath = '/conversion';

/**
 * The definitions with v1beta1 served beside v1 where that version exists, converted by the
 * webhook. Whom the server trusts there (`caBundle`) is filled in by the controller.
 */
export function withV1beta1(
  definitions: readonly CustomResourceDefinition[],
  address: WebhookAddress,
): readonly CustomResourceDefinition[] {
  return definitions.map((definition) => {
    const older = olderVersions[definition.metadata.name];
    if (older === undefined) return definition;
    const versions = [...(definition.spec.versions as readonly OpenApi[]), older()];
    return {
      ...definition,
      spec: { ...definition.spec, versions, conversion: conversionBy(address) },
    };
  });
}

/** The part of a definition that says who converts. */
export function conversionBy(address: WebhookAddress, caBundle?: string): OpenApi {
  const trust = caBundle === undefined ? {} : { caBundle };
  const clientConfig =
    address.kind === 'url'
      ? { url: `${address.url}${conversionPath}`, ...trust }
      : { service: serviceOf(address), ...trust };
  return { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } };
}

function serviceOf({ name, namespace, port }: WebhookAddress & { kind: 'service' }): OpenApi {
  return { name, namespace, port, path: conversionPath };
}

const olderVersions: Readonly<Record<string, () => OpenApi>> = {
  'nodepools.karpenter.sh': () =>
    version({
      description: 'The NodePool as it was before v1.',
      schema: v1beta1NodePoolSchema,
      required: ['spec'],
      kind: 'karpenter.sh/v1 NodePool',
      columns: [
        fieldColumn('NodeClass', '.spec.template.spec.nodeClassRef.name'),
        wide(countColumn('Weight', '.spec.weight')),
      ],
    }),
  'nodeclaims.karpenter.sh': () =>
    version({
      description: 'The NodeClaim as it was before v1.',
      schema: v1beta1NodeClaimSchema,
      required: ['spec'],
      kind: 'karpenter.sh/v1 NodeClaim',
      columns: [
        labelColumn('Type', 'node.kubernetes.io/instance-type'),
        labelColumn('Zone', 'topology.kubernetes.io/zone'),
        fieldColumn('Node', '.status.nodeName'),
        readyColumn,
        ageColumn,
        wide(labelColumn('Capacity', 'karpenter.sh/capacity-type')),
        wide(labelColumn('NodePool', 'karpenter.sh/nodepool')),
        wide(fieldColumn('NodeClass', '.spec.nodeClassRef.name')),
      ],
    }),
  'ec2nodeclasses.karpenter.k8s.aws': () =>
    version({
      description: 'The EC2NodeClass as it was before v1.',
      schema: v1beta1Ec2NodeClassSchema,
      required: [],
      kind: 'karpenter.k8s.aws/v1 EC2NodeClass',
      columns: [],
    }),
};

/** The names of the definitions that have a v1beta1. */
export const definitionsWithV1beta1: readonly string[] = Object.keys(olderVersions);

interface OlderVersion {
  readonly description: string;
  readonly schema: Parameters<typeof wholeSchema>[0]['schema'];
  readonly required: readonly 'spec'[];
  /** What to use instead. */
  readonly kind: string;
  readonly columns: readonly PrinterColumn[];
}

function version({ kind, columns, ...parts }: OlderVersion): OpenApi {
  const [group = '', name = ''] = kind.split('/v1 ');
  return {
    name: 'v1beta1',
    served: true,
    storage: false,
    deprecated: true,
    deprecationWarning: `${group}/v1beta1 ${name} is deprecated; use ${kind}. \`karpenter convert\` rewrites manifests.`,
    schema: { openAPIV3Schema: wholeSchema(parts) },
    subresources: { status: {} },
    ...(columns.length === 0 ? {} : { additionalPrinterColumns: columns }),
  };
}
