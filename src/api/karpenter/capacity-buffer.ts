import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import { conditionList } from '../schema/condition-list.ts';
import {
  defaulted,
  described,
  type Infer,
  int32,
  int64,
  object,
  optional,
  resourceList,
  ruled,
  text,
} from '../schema/vocabulary.ts';

const podTemplateRef = object({
  name: described('The name of the PodTemplate, in the same namespace.', text({ minLength: 1 })),
});

const scalableRef = object({
  apiGroup: optional(described('Its API group; empty for the core group.', text())),
  kind: described('Its kind: `Deployment`.', text({ minLength: 1 })),
  name: described('Its name, in the same namespace.', text({ minLength: 1 })),
});

const spec = ruled(
  object({
    provisioningStrategy: optional(
      defaulted(
        'buffer.x-k8s.io/active-capacity',
        described('How the capacity is kept free.', text()),
      ),
    ),
    podTemplateRef: optional(
      described('The pods that room is kept for, as a template.', podTemplateRef),
    ),
    scalableRef: optional(described('The workload for whose pods room is kept.', scalableRef)),
    replicas: optional(described('For how many pods room is kept.', int32({ minimum: 0 }))),
    percentage: optional(
      described(
        'For how many pods room is kept, in percent of the replicas of the workload.',
        int32({ minimum: 0 }),
      ),
    ),
    limits: optional(described('The most that the kept room may add up to.', resourceList())),
  }),
  {
    rule: '!has(self.podTemplateRef) || has(self.replicas) || has(self.limits)',
    message: "'podTemplateRef' needs 'replicas' or 'limits'",
  },
  {
    rule: '!has(self.podTemplateRef) || !has(self.scalableRef)',
    message: "a buffer can have 'podTemplateRef' or 'scalableRef', not both",
  },
);

const status = object({
  podTemplateRef: optional(described('The template that is used.', podTemplateRef)),
  podTemplateGeneration: optional(described('Its generation.', int64())),
  replicas: optional(described('For how many pods room is kept now.', int32())),
  provisioningStrategy: optional(described('The strategy that is used.', text())),
  conditions: optional(conditionList()),
});

export const capacityBufferSchema = { spec, status };

export type CapacityBufferSpec = Infer<typeof spec>;
export type CapacityBufferStatus = Infer<typeof status>;

/** Room that is kept free for pods that do not exist yet. */
export interface CapacityBuffer extends KubeObject {
  readonly spec: CapacityBufferSpec;
  readonly status?: CapacityBufferStatus;
}

export const capacityBuffers: Resource<CapacityBuffer> = resource(
  'autoscaling.x-k8s.io/v1beta1/capacitybuffers',
  'CapacityBuffer',
  'namespaced',
);
