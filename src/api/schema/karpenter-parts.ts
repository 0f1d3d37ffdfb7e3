import { durationOrNeverPattern, durationPattern, qualifiedNamePattern } from './patterns.ts';
import {
  dateTime,
  defaulted,
  described,
  list,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from './vocabulary.ts';

/** Parts that NodePool and NodeClaim have in common. */

const taint = object({
  key: described('The name of the taint.', text({ minLength: 1, pattern: qualifiedNamePattern })),
  value: optional(described('The value of the taint.', text({ pattern: qualifiedNamePattern }))),
  effect: described(
    'What happens to pods that do not tolerate it.',
    oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  ),
  timeAdded: optional(described('When the taint was set.', dateTime())),
});

const taintList = list(taint, { 'x-kubernetes-list-type': 'atomic' });

/** How nodes keep pods away, in templates and in claims. */
export const taintFields = {
  taints: optional(
    described('Taints that the node keeps: only pods that tolerate them run on it.', taintList),
  ),
  startupTaints: optional(
    described(
      'Taints that the node starts with and that something else removes; pods need not tolerate them.',
      taintList,
    ),
  ),
};

/** How long machines live and how long they take to end, in templates and in claims. */
export const lifetimeFields = {
  terminationGracePeriod: optional(
    described(
      'How long a drain may take before pods are removed by force. Without it a drain waits for as long as it needs.',
      text({ pattern: durationPattern }),
    ),
  ),
  expireAfter: optional(
    defaulted(
      '720h',
      described(
        'The age at which the machine is replaced, or `Never`.',
        text({ pattern: durationOrNeverPattern }),
      ),
    ),
  ),
};

function named(field: string, sentence: string, pattern?: string) {
  return described(
    sentence,
    ruled(text(pattern === undefined ? {} : { pattern }), {
      rule: "self != ''",
      message: `${field} may not be empty`,
    }),
  );
}

export const nodeClassRef = described(
  'The object that says how machines look on this cloud.',
  object({
    group: named('group', 'Its API group: `karpenter.k8s.aws`.', '^[^/]*$'),
    kind: named('kind', 'Its kind: `EC2NodeClass`.'),
    name: named('name', 'Its name.'),
  }),
);
