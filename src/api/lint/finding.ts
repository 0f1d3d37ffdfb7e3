import type { Path } from '../value.ts';

export type Severity = 'error' | 'warning' | 'info';

/** What each code means, for good: codes are never given to something else. */
export const findings = {
  KTS001: { severity: 'warning', title: 'An old or wrong spelling' },
  KTS002: { severity: 'error', title: 'A field that does not exist' },
  KTS003: { severity: 'error', title: 'A limit below any machine' },
  KTS004: { severity: 'warning', title: 'A spot pool without a bound on the size of machines' },
  KTS005: { severity: 'warning', title: 'Budgets that never allow anything' },
  KTS006: { severity: 'warning', title: 'Budgets with a hole in their window' },
  KTS007: { severity: 'info', title: 'A reason that no budget limits' },
  KTS008: { severity: 'error', title: 'A pool that no instance type can satisfy' },
  KTS009: { severity: 'warning', title: 'A pool in the shadow of another' },
  KTS010: { severity: 'error', title: 'Amazon Linux 2 on Kubernetes 1.33 or newer' },
  KTS011: { severity: 'error', title: 'A selector that matches nothing' },
  KTS012: { severity: 'info', title: 'A hop limit that keeps pods from the instance metadata' },
  KTS013: { severity: 'info', title: 'A hop limit that lets pods use the role of the node' },
  KTS014: { severity: 'info', title: 'A discovery tag that clusters share' },
  KTS015: { severity: 'error', title: 'Refused by the API server' },
  KTS016: { severity: 'error', title: 'A value that no node has' },
  KTS017: { severity: 'error', title: 'A node class that is not there' },
  KTS018: { severity: 'warning', title: 'Spot from too few instance types' },
  KTS019: { severity: 'info', title: 'A pool without limits' },
  KTS020: { severity: 'error', title: 'A document that cannot be read' },
} as const satisfies Readonly<
  Record<string, { readonly severity: Severity; readonly title: string }>
>;

export type FindingCode = keyof typeof findings;

/** Something in a manifest that will not do what its author thinks. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly path: Path;
  readonly sentence: string;
  /** What to write instead. */
  readonly fix: string;
  /** The page that explains the code. */
  readonly docs: string;
}

/** A finding with what belongs to its code. */
export function finding(
  code: FindingCode,
  told: { readonly path: Path; readonly sentence: string; readonly fix: string },
): Finding {
  return {
    code,
    severity: findings[code].severity,
    ...told,
    docs: `docs/lint.md#${code.toLowerCase()}`,
  };
}
