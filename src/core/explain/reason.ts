/**
 * Why a pod found no place. `code` is stable and made for machines; `sentence` is for people
 * and says what to change. `parts` tells the same per pool or node, for those who look closer.
 */
export interface Refusal {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly parts: readonly RefusalPart[];
}

export interface RefusalPart {
  /** A pool or an existing node. */
  readonly subject: { readonly kind: 'NodePool' | 'Node'; readonly name: string };
  readonly code: RefusalCode;
  readonly sentence: string;
}

export type RefusalCode =
  | 'no-pools'
  | 'pool-not-ready'
  | 'taint-not-tolerated'
  | 'labels-do-not-match'
  | 'too-large'
  | 'no-capacity-offered'
  | 'limit-reached'
  | 'host-port-taken'
  | 'unsupported-constraint'
  | 'invalid-pod'
  | 'min-values'
  | 'no-single-reason';
