import { durationOrNeverPattern } from '../schema/patterns.ts';
import {
  defaulted,
  described,
  list,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from '../schema/vocabulary.ts';

// The first anchor binds the first alternative only and the last one the second, as in the original.
const schedulePattern =
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$';

/** How many nodes of a pool may be disrupted at once, and when that holds. */
export const budget = object({
  nodes: defaulted(
    '10%',
    described(
      'How many nodes may be disrupted at once: a count or a percentage.',
      text({ pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' }),
    ),
  ),
  reasons: optional(
    described(
      'The reasons that the budget is for; without them it is for all.',
      list(oneOf(['Underutilized', 'Empty', 'Drifted']), {
        maxItems: 50,
        'x-kubernetes-list-type': 'set',
      }),
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

export const disruption = object({
  consolidateAfter: described(
    'How long a node must be without change before it is consolidated, or `Never`.',
    text({ pattern: durationOrNeverPattern }),
  ),
  consolidationPolicy: optional(
    defaulted(
      'WhenEmptyOrUnderutilized',
      described(
        'Which nodes are consolidated: empty ones, also those whose pods fit elsewhere for less, or those where the saving outweighs the disruption.',
        oneOf(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']),
      ),
    ),
  ),
  budgets: optional(
    defaulted(
      [{ nodes: '10%' }],
      described(
        'How many nodes may be disrupted at once. Of all budgets that hold now, the smallest counts.',
        ruled(list(budget, { maxItems: 50, 'x-kubernetes-list-type': 'atomic' }), {
          rule: 'self.all(x, has(x.schedule) == has(x.duration))',
          message: "a budget needs both 'schedule' and 'duration', or neither",
        }),
      ),
    ),
  ),
});
