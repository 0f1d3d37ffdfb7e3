/** Which labels are meant, as Kubernetes writes it; all parts must hold. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

type Labels = Readonly<Record<string, string>>;

interface SetRequirement {
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** Whether the labels satisfy the selector. An empty selector takes all, a missing one nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels | undefined): boolean {
  if (selector === undefined) return false;
  const own = labels ?? {};
  const { matchLabels, matchExpressions } = selector;
  for (const key in matchLabels) if (own[key] !== matchLabels[key]) return false;
  if (matchExpressions === undefined) return true;
  // Own labels only: a key such as `constructor` must not be found on every object.
  const labelOf = (key: string): string | undefined =>
    Object.hasOwn(own, key) ? own[key] : undefined;
  return matchExpressions.every((term) => meets(term, labelOf(term.key)));
}

/** Whether the value of one label, undefined where it is missing, meets the requirement. */
export function meets(requirement: SetRequirement, value: string | undefined): boolean {
  const { operator, values = [] } = requirement;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}
