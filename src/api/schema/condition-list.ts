import type { Condition } from '../resource.ts';
import {
  dateTime,
  described,
  int64,
  keyedList,
  list,
  type OpenApi,
  object,
  oneOf,
  optional,
  type Schema,
  text,
} from './vocabulary.ts';

/** Status conditions with a reason and a message, one for each type. */
export function conditionList(): Schema<readonly Condition[]> {
  return said(keyedList(['type'], fullCondition));
}

/** As `conditionList`; the server does not look whether a type stands there twice. */
export function plainConditionList(): Schema<readonly Condition[]> {
  return said(list(fullCondition));
}

/** Status conditions of a NodeClaim, which may leave the reason and the message out. */
export function claimConditionList(): Schema<readonly Condition[]> {
  return said(keyedList(['type'], claimCondition));
}

function said<T>(conditions: Schema<T>): Schema<T> {
  return described('What holds of this object now, and since when.', conditions);
}

const typePattern =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

const fields = {
  type: described('What the condition is about.', text({ maxLength: 316, pattern: typePattern })),
  status: described('Whether it holds.', oneOf(['True', 'False', 'Unknown'])),
  lastTransitionTime: described('When the status last changed.', dateTime()),
  observedGeneration: optional(
    described('The generation of the spec that this was said about.', int64({ minimum: 0 })),
  ),
};

const fullCondition = object({
  ...fields,
  reason: reason({ minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
  message: message(),
});

const claimCondition = object({
  ...fields,
  reason: optional(reason({ pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$' })),
  message: optional(message()),
});

function reason(limits: OpenApi): Schema<string> {
  return described('Why, in one word for programs.', text({ maxLength: 1024, ...limits }));
}

function message(): Schema<string> {
  return described('Why, in a sentence for people.', text({ maxLength: 32768 }));
}
