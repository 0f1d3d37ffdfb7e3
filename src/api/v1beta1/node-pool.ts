import { plainConditionList } from '../schema/condition-list.ts';
import { labelKeyRules, nodePoolLabelRule } from '../schema/label-keys.ts';
import { durationOrNeverPattern, labelValuePattern } from '../schema/patterns.ts';
import { poolRequirements } from '../schema/requirement-list.ts';
import {
  defaulted,
  described,
  int32,
  list,
  map,
  object,
  oneOf,
  optional,
  resourceList,
  ruled,
  text,
} from '../schema/vocabulary.ts';
import { machineFields } from './parts.ts';

const labels = ruled(
  described(
    'Labels that every node of the pool gets.',
    map(text({ maxLength: 63, pattern: labelValuePattern }), { maxProperties: 100 }),
  ),
  ...[...labelKeyRules('x'), nodePoolLabelRule('x')].map(({ rule, message }) => ({
    rule: `self.all(x, ${rule})`,
    message,
  })),
);

const template = object({
  metadata: optional(
    described(
      'What nodes of this pool are called and marked.',
      object({
        labels: optional(labels),
        annotations: optional(
          described('Annotations that every node of the pool gets.', map(text())),
        ),
      }),
    ),
  ),
  spec: described(
    'What machines the pool may buy.',
    object({
      requirements: poolRequirements(),
      ...machineFields,
      resources: optional(
        described(
          'Only claims have it; here it must be empty.',
          object(
            { requests: optional(described('What pods ask.', resourceList())) },
            { maxProperties: 0 },
          ),
        ),
      ),
    }),
  ),
});

const schedulePattern =
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$';

const budget = object({
  nodes: defaulted(
    '10%',
    described(
      'How many nodes may be disrupted at once: a count or a percentage.',
      text({ pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' }),
    ),
  ),
  schedule: optional(
    described('When the budget begins, as cron in UTC.', text({ pattern: schedulePattern })),
  ),
  duration: optional(
    described(
      'How long it lasts from there, in hours and minutes.',
      text({ pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$' }),
    ),
  ),
});

/** What a pool of v1beta1 that says nothing about disruption means. */
const disruptionDefaults = {
  consolidationPolicy: 'WhenUnderutilized',
  expireAfter: '720h',
  budgets: [{ nodes: '10%' }],
} as const;

const disruption = ruled(
  object({
    consolidateAfter: optional(
      described(
        'How long a node must be empty before it is removed, or `Never`.',
        text({ pattern: durationOrNeverPattern }),
      ),
    ),
    consolidationPolicy: optional(
      defaulted(
        disruptionDefaults.consolidationPolicy,
        described(
          'Which nodes are consolidated: empty ones, or all whose pods fit elsewhere for less.',
          oneOf(['WhenEmpty', 'WhenUnderutilized']),
        ),
      ),
    ),
    expireAfter: optional(
      defaulted(
        disruptionDefaults.expireAfter,
        described(
          'The age at which machines are replaced, or `Never`.',
          text({ pattern: durationOrNeverPattern }),
        ),
      ),
    ),
    budgets: optional(
      defaulted(
        disruptionDefaults.budgets,
        described(
          'How many nodes may be disrupted at once. Of all budgets that hold now, the smallest counts.',
          ruled(list(budget, { maxItems: 50 }), {
            rule: 'self.all(x, has(x.schedule) == has(x.duration))',
            message: "a budget needs both 'schedule' and 'duration', or neither",
          }),
        ),
      ),
    ),
  }),
  {
    rule: "!has(self.consolidateAfter) || self.consolidationPolicy != 'WhenUnderutilized' || self.consolidateAfter == 'Never'",
    message: "'consolidateAfter' has no meaning with consolidationPolicy 'WhenUnderutilized'",
  },
  {
    rule: "self.consolidationPolicy != 'WhenEmpty' || has(self.consolidateAfter)",
    message: "consolidationPolicy 'WhenEmpty' needs 'consolidateAfter'",
  },
);

const spec = object({
  template: described('What every node of this pool is made from.', template),
  disruption: optional(
    defaulted(
      {
        consolidationPolicy: disruptionDefaults.consolidationPolicy,
        expireAfter: disruptionDefaults.expireAfter,
      },
      described('When and how fast nodes may be disrupted.', disruption),
    ),
  ),
  limits: optional(described('The most that all nodes of the pool may add up to.', resourceList())),
  weight: optional(
    described('Heavier pools are tried first.', int32({ minimum: 1, maximum: 100 })),
  ),
});

const status = object({
  resources: optional(described('What all nodes of the pool add up to.', resourceList())),
  conditions: optional(plainConditionList()),
});

/** The NodePool of v1beta1. */
export const v1beta1NodePoolSchema = { spec, status };
