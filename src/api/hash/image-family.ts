interface SelectsImages {
  readonly amiFamily?: unknown;
  readonly amiSelectorTerms?: unknown;
}

/** Families that an alias may name: in small letters before the `@`. */
const aliased = ['AL2', 'AL2023', 'Bottlerocket', 'Windows2019', 'Windows2022', 'Windows2025'];

/** The family that images of a node class belong to: as written, else the alias's, else `Custom`. */
export function imageFamily(spec: SelectsImages): string {
  if (typeof spec.amiFamily === 'string') return spec.amiFamily;
  return aliasOf(spec)?.family ?? 'Custom';
}

/** The alias among the image terms, taken apart; undefined where there is none. */
export function aliasOf(
  spec: SelectsImages,
): { readonly family: string; readonly version: string } | undefined {
  const terms: readonly unknown[] = Array.isArray(spec.amiSelectorTerms)
    ? spec.amiSelectorTerms
    : [];
  const alias = terms.map(aliasIn).find((one) => one !== '');
  if (alias === undefined) return undefined;
  const [name = '', version = ''] = alias.split('@');
  const family = aliased.find((one) => one.toLowerCase() === name) ?? 'Custom';
  return { family, version };
}

function aliasIn(term: unknown): string {
  if (typeof term !== 'object' || term === null || !('alias' in term)) return '';
  return typeof term.alias === 'string' ? term.alias : '';
}
