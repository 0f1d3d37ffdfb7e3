import { capacityBufferSchema, capacityBuffers } from './karpenter/capacity-buffer.ts';
import { ec2NodeClasses, ec2NodeClassSchema } from './karpenter/ec2-node-class.ts';
import { nodeClaimSchema, nodeClaims } from './karpenter/node-claim.ts';
import { nodeOverlaySchema, nodeOverlays } from './karpenter/node-overlay.ts';
import { nodePoolSchema, nodePools } from './karpenter/node-pool.ts';
import { type CustomResourceDefinition, definition } from './schema/definition.ts';
import {
  ageColumn,
  conditionColumn,
  countColumn,
  explained,
  fieldColumn,
  labelColumn,
  readyColumn,
  wide,
} from './schema/printer-column.ts';

export type { CustomResourceDefinition } from './schema/definition.ts';

/** The CRDs of every kind we define, in the order in which they should be applied. */
export function customResourceDefinitions(): readonly CustomResourceDefinition[] {
  return [
    nodePoolDefinition(),
    nodeClaimDefinition(),
    ec2NodeClassDefinition(),
    nodeOverlayDefinition(),
    capacityBufferDefinition(),
  ];
}

function nodePoolDefinition(): CustomResourceDefinition {
  return definition(nodePools, {
    description:
      'A NodePool says what nodes may be bought, for whom, and how they may be disrupted.',
    schema: nodePoolSchema,
    required: ['spec'],
    category: 'karpenter',
    columns: [
      fieldColumn('NodeClass', '.spec.template.spec.nodeClassRef.name'),
      fieldColumn('Nodes', '.status.nodes'),
      readyColumn,
      ageColumn,
      wide(countColumn('Weight', '.spec.weight')),
      wide(fieldColumn('CPU', '.status.resources.cpu')),
      wide(fieldColumn('Memory', '.status.resources.memory')),
    ],
    scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
  });
}

function nodeClaimDefinition(): CustomResourceDefinition {
  return definition(nodeClaims, {
    description: 'A NodeClaim is a request for one machine, and everything that became of it.',
    schema: nodeClaimSchema,
    required: ['spec'],
    category: 'karpenter',
    columns: [
      labelColumn('Type', 'node.kubernetes.io/instance-type'),
      labelColumn('Capacity', 'karpenter.sh/capacity-type'),
      labelColumn('Zone', 'topology.kubernetes.io/zone'),
      fieldColumn('Node', '.status.nodeName'),
      readyColumn,
      ageColumn,
      wide(fieldColumn('ImageID', '.status.imageID')),
      wide(fieldColumn('ID', '.status.providerID')),
      wide(labelColumn('NodePool', 'karpenter.sh/nodepool')),
      wide(fieldColumn('NodeClass', '.spec.nodeClassRef.name')),
      wide(conditionColumn('Drifted', 'Drifted')),
    ],
  });
}

function ec2NodeClassDefinition(): CustomResourceDefinition {
  return definition(ec2NodeClasses, {
    description:
      'An EC2NodeClass says how machines look on AWS: network, images, role, disks, kubelet.',
    schema: ec2NodeClassSchema,
    // The original takes an EC2NodeClass without a spec; it never becomes ready.
    required: [],
    category: 'karpenter',
    columns: [readyColumn, ageColumn, wide(fieldColumn('Role', '.spec.role'))],
    shortNames: ['ec2nc', 'ec2ncs'],
  });
}

function nodeOverlayDefinition(): CustomResourceDefinition {
  return definition(nodeOverlays, {
    description:
      'A NodeOverlay says what to believe of some instance types: another price, more capacity.',
    schema: nodeOverlaySchema,
    required: ['spec'],
    category: 'karpenter',
    columns: [readyColumn, ageColumn, wide(countColumn('Weight', '.spec.weight'))],
    shortNames: ['overlays'],
  });
}

function capacityBufferDefinition(): CustomResourceDefinition {
  return definition(capacityBuffers, {
    description: 'A CapacityBuffer keeps room free for pods that do not exist yet.',
    schema: capacityBufferSchema,
    required: ['spec'],
    category: 'autoscaling',
    columns: [
      explained('How the room is kept.', fieldColumn('Strategy', '.spec.provisioningStrategy')),
      explained(
        'The template of the pods.',
        fieldColumn('PodTemplate', '.status.podTemplateRef.name'),
      ),
      explained('For how many pods room is kept.', countColumn('Replicas', '.status.replicas')),
      explained('The conditions.', fieldColumn('ConditionsType', '.status.conditions[*].type')),
      explained(
        'Whether they hold.',
        fieldColumn('ConditionsStatus', '.status.conditions[*].status'),
      ),
      explained('Why.', fieldColumn('ConditionsReason', '.status.conditions[*].reason')),
      explained('The age of the buffer.', ageColumn),
    ],
    shortNames: ['cb'],
  });
}
