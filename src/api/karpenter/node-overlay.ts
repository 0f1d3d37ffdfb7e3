import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import { conditionList } from '../schema/condition-list.ts';
import { overlayRequirements } from '../schema/requirement-list.ts';
import {
  described,
  type Infer,
  int32,
  object,
  optional,
  resourceList,
  ruled,
  text,
} from '../schema/vocabulary.ts';

const priceAdjustmentPattern =
  '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$';

const spec = ruled(
  object({
    requirements: overlayRequirements(),
    priceAdjustment: optional(
      described(
        'What is added to the price: dollars (`+0.05`, `-0.05`) or percent (`+10%`, `-10%`).',
        text({ pattern: priceAdjustmentPattern }),
      ),
    ),
    price: optional(
      described('The price in dollars per hour.', text({ pattern: '^\\d+(\\.\\d+)?$' })),
    ),
    capacity: optional(
      described(
        'Resources that the instance types have besides those that EC2 tells.',
        ruled(resourceList(), {
          rule: "self.all(x, !(x in ['cpu', 'memory', 'ephemeral-storage', 'pods']))",
          message: "'cpu', 'memory', 'ephemeral-storage' and 'pods' cannot be overlaid",
        }),
      ),
    ),
    weight: optional(
      described(
        'Of overlays that set the same thing, the heaviest counts.',
        int32({ minimum: 1, maximum: 10000 }),
      ),
    ),
  }),
  {
    rule: '!has(self.price) || !has(self.priceAdjustment)',
    message: "an overlay can have 'price' or 'priceAdjustment', not both",
  },
);

const status = object({ conditions: optional(conditionList()) });

export const nodeOverlaySchema = { spec, status };

export type NodeOverlaySpec = Infer<typeof spec>;
export type NodeOverlayStatus = Infer<typeof status>;

/** What to believe of some instance types instead of what the cloud tells. */
export interface NodeOverlay extends KubeObject {
  readonly spec: NodeOverlaySpec;
  readonly status?: NodeOverlayStatus;
}

export const nodeOverlays: Resource<NodeOverlay> = resource(
  'karpenter.sh/v1alpha1/nodeoverlays',
  'NodeOverlay',
  'cluster',
);
