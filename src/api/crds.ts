import { ec2NodeClasses, ec2NodeClassSchema } from './karpenter/ec2-node-class.ts';
import { nodeClaimSchema, nodeClaims } from './karpenter/node-claim.ts';
import { nodePoolSchema, nodePools } from './karpenter/node-pool.ts';
import type { KubeObject, Resource } from './resource.ts';
import type { OpenApi, Schema } from './schema/vocabulary.ts';

/** A CustomResourceDefinition, ready to be applied. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: OpenApi;
}

/** The CRDs of every kind we define, in the order in which they should be applied. */
export function customResourceDefinitions(): readonly CustomResourceDefinition[] {
  return [nodePoolDefinition(), nodeClaimDefinition(), ec2NodeClassDefinition()];
}

interface Column {
  readonly name: string;
  readonly type: 'string' | 'date' | 'integer';
  readonly jsonPath: string;
  /** 1 shows the column only with `-o wide`. */
  readonly priority?: 1;
}

const ready: Column = {
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
};
const age: Column = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

function label(name: string, key: string): Column {
  return { name, type: 'string', jsonPath: `.metadata.labels.${key.replaceAll('.', '\\.')}` };
}

function wide(column: Column): Column {
  return { ...column, priority: 1 };
}

function field(name: string, jsonPath: string): Column {
  return { name, type: 'string', jsonPath };
}

function nodePoolDefinition(): CustomResourceDefinition {
  return definition(nodePools, {
    description:
      'A NodePool says what nodes may be bought, for whom, and how they may be disrupted.',
    schema: nodePoolSchema,
    columns: [
      field('NodeClass', '.spec.template.spec.nodeClassRef.name'),
      field('Nodes', '.status.nodes'),
      ready,
      age,
      { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
      wide(field('CPU', '.status.resources.cpu')),
      wide(field('Memory', '.status.resources.memory')),
    ],
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
  });
}

function nodeClaimDefinition(): CustomResourceDefinition {
  return definition(nodeClaims, {
    description: 'A NodeClaim is a request for one machine, and everything that became of it.',
    schema: nodeClaimSchema,
    columns: [
      label('Type', 'node.kubernetes.io/instance-type'),
      label('Capacity', 'karpenter.sh/capacity-type'),
      label('Zone', 'topology.kubernetes.io/zone'),
      field('Node', '.status.nodeName'),
      ready,
      age,
      wide(field('ImageID', '.status.imageID')),
      wide(field('ID', '.status.providerID')),
      wide(label('NodePool', 'karpenter.sh/nodepool')),
      wide(field('NodeClass', '.spec.nodeClassRef.name')),
      wide(field('Drifted', '.status.conditions[?(@.type=="Drifted")].status')),
    ],
  });
}

function ec2NodeClassDefinition(): CustomResourceDefinition {
  return definition(ec2NodeClasses, {
    description:
      'An EC2NodeClass says how machines look on AWS: network, images, role, disks, kubelet.',
    schema: ec2NodeClassSchema,
    columns: [ready, age, wide(field('Role', '.spec.role'))],
    shortNames: ['ec2nc', 'ec2ncs'],
  });
}

interface DefinitionParts {
  readonly description: string;
  readonly schema: { readonly spec: Schema<unknown>; readonly status: Schema<unknown> };
  readonly columns: readonly Column[];
  readonly shortNames?: readonly string[];
  readonly scale?: OpenApi;
}

function definition(resource: Resource, parts: DefinitionParts): CustomResourceDefinition {
  const { group, version, plural, kind } = resource;
  const schema = {
    type: 'object',
    description: parts.description,
    required: ['spec'],
    properties: {
      apiVersion: { type: 'string', description: 'The version of the schema of this object.' },
      kind: { type: 'string', description: 'The kind of this object.' },
      metadata: { type: 'object' },
      spec: parts.schema.spec.openApi,
      status: parts.schema.status.openApi,
    },
  };
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
        categories: ['karpenter'],
        ...(parts.shortNames === undefined ? {} : { shortNames: parts.shortNames }),
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: {
            status: {},
            ...(parts.scale === undefined ? {} : { scale: parts.scale }),
          },
          additionalPrinterColumns: parts.columns,
        },
      ],
    },
  };
}
