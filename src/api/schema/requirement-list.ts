import { type Operator, operators } from '../../core/requirements/requirements.ts';
import { type AwsLabels, labelKeyRules, nodePoolLabelRule } from './label-keys.ts';
import { labelValuePattern, qualifiedNamePattern } from './patterns.ts';
import {
  described,
  integer,
  list,
  object,
  oneOf,
  optional,
  type Rule,
  ruled,
  type Schema,
  text,
} from './vocabulary.ts';

/** The requirements on node labels in a NodePool, whose own name nobody may ask for. */
export function poolRequirements() {
  return choosing(listOf(entryWithMinimum([nodePoolLabelRule('self')])), [enoughValues]);
}

/** The requirements on node labels in a NodeClaim. */
export function claimRequirements() {
  return choosing(listOf(entryWithMinimum([])), [enoughValues]);
}

/** The requirements that choose the instance types of a NodeOverlay. */
export function overlayRequirements() {
  return choosing(listOf(object(entryFields('of-instance-types', []))), [needsValues('NotIn')]);
}

/** Requirements that we wrote ourselves, in a status: their shape alone is checked. */
export const resolvedRequirementList = list(
  object({
    key: described('The label.', text()),
    operator: described('How the label and the values relate.', text() as Schema<Operator>),
    values: optional(
      described('The values.', list(text(), { 'x-kubernetes-list-type': 'atomic' })),
    ),
  }),
);

function entryFields(aws: AwsLabels, extraKeyRules: readonly Rule[]) {
  return {
    key: described(
      'The label of the node.',
      ruled(
        text({ maxLength: 316, pattern: qualifiedNamePattern }),
        ...labelKeyRules('self', aws),
        ...extraKeyRules,
      ),
    ),
    operator: described(
      'How the label and the values relate. `Gt`, `Lt`, `Gte` and `Lte` compare integers.',
      oneOf(operators),
    ),
    values: optional(
      described(
        'The values: at least one for `In`, exactly one integer for a comparison, none for `Exists` and `DoesNotExist`.',
        // The two limits say nothing about a list; they stand here because the original has them.
        list(text(), {
          'x-kubernetes-list-type': 'atomic',
          maxLength: 63,
          pattern: labelValuePattern,
        }),
      ),
    ),
  };
}

function entryWithMinimum(extraKeyRules: readonly Rule[]) {
  return object({
    ...entryFields('all', extraKeyRules),
    minValues: optional(
      described(
        'How many different values of this label the possible instance types must offer, so that a purchase can fall back on another.',
        integer({ minimum: 1, maximum: 50 }),
      ),
    ),
  });
}

function listOf<T>(entry: Schema<T>): Schema<readonly T[]> {
  return described(
    'What the labels of a node must be. All requirements hold at once.',
    list(entry, { maxItems: 100, 'x-kubernetes-list-type': 'atomic' }),
  );
}

function choosing<T>(entries: Schema<T>, further: readonly Rule[]): Schema<T> {
  return ruled(entries, needsValues('In'), comparesOneInteger, ...further);
}

function needsValues(operator: 'In' | 'NotIn'): Rule {
  return {
    rule: `self.all(x, x.operator != '${operator}' || (has(x.values) && x.values.size() != 0))`,
    message: `a requirement with operator '${operator}' needs at least one value`,
  };
}

const comparesOneInteger: Rule = {
  rule: "self.all(x, !(x.operator in ['Gt', 'Lt', 'Gte', 'Lte']) || (has(x.values) && x.values.size() == 1 && int(x.values[0]) >= 0))",
  message:
    "a requirement with operator 'Gt', 'Lt', 'Gte' or 'Lte' needs exactly one value, an integer that is not negative",
};

const enoughValues: Rule = {
  rule: "self.all(x, x.operator != 'In' || !has(x.minValues) || (has(x.values) && x.values.size() >= x.minValues))",
  message: "a requirement with 'minValues' needs at least that many values",
};
