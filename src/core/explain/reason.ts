/**
 * Why a pod found no place. `code` is stable and made for machines; `sentence` is for people.
 * `parts` tells it per pool and `nodes` over all nodes that exist, each as a funnel; `remedies`
 * are the smallest changes that would help.
 */
export interface Refusal {
  readonly code: RefusalCode;
  readonly sentence: string;
  readonly parts: readonly RefusalPart[];
  /** Left out where there is no node that pods could go to. */
  readonly nodes?: Funnel | undefined;
  /**
   * At most three, the smallest first. Each by itself gives one such pod a place, as the cluster
   * stands once the plan is carried out.
   */
  readonly remedies?: readonly Remedy[] | undefined;
}

export interface RefusalPart {
  readonly subject: { readonly kind: 'NodePool' | 'Node'; readonly name: string };
  readonly code: RefusalCode;
  readonly sentence: string;
  /** Left out where the pool as a whole is out of question. */
  readonly funnel?: Funnel | undefined;
}

/** How the choice shrank to nothing, rule by rule. */
export interface Funnel {
  readonly of: 'instance types' | 'nodes';
  readonly considered: number;
  /** Ways to buy them: a zone and a kind of capacity each; for instance types only. */
  readonly offerings?: number | undefined;
  /** Rules that removed something, always in the same order. */
  readonly steps: readonly FunnelStep[];
  /** What fails the fewest rules, and of those by the least. */
  readonly nearest?: NearMiss | undefined;
}

export interface FunnelStep {
  readonly constraint: Constraint;
  /** The label, resource or topology key, where the rule has one. */
  readonly key?: string | undefined;
  /** Instance types of which no offering remained, or nodes. */
  readonly removed: number;
  readonly left: number;
  readonly offeringsLeft?: number | undefined;
}

export interface NearMiss {
  /** `m5.large, spot in us-east-1a`, or a node's name. */
  readonly name: string;
  /** What is in its way: `cpu is 0.1 cores short`. */
  readonly lacks: readonly string[];
}

/** A change, or two together, that would give the pod a place. */
export interface Remedy {
  /** `raise the memory limit of NodePool web by 2 Gi (to 10 Gi)`. */
  readonly sentence: string;
  readonly changes: readonly Change[];
}

/** What to change, for machines. Amounts are in the units of `Resources`. */
export type Change =
  | {
      readonly kind: 'raise-limit';
      readonly pool: string;
      readonly limits: readonly {
        readonly resource: string;
        readonly from: number;
        readonly to: number;
      }[];
    }
  | {
      readonly kind: 'allow-value' | 'define-label';
      readonly pool: string;
      readonly key: string;
      readonly value: string;
    }
  | {
      readonly kind: 'lower-min-values';
      readonly pool: string;
      readonly key: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'tolerate';
      readonly taints: readonly {
        readonly key: string;
        readonly value?: string | undefined;
        readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
      }[];
    }
  | {
      readonly kind: 'lower-request';
      readonly resource: string;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: 'drop-label-rule'; readonly key: string }
  | {
      readonly kind: 'raise-skew';
      readonly key: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly kind: 'drop-pod-rule';
      readonly rule: 'spread' | 'affinity' | 'anti-affinity';
      readonly key: string;
    }
  | { readonly kind: 'drop-host-ports'; readonly ports: readonly string[] };

/** The rules that choose, in the order in which a funnel asks them. Add, never rename. */
export type Constraint =
  | 'pool-requirements'
  | 'node-labels'
  | 'taints'
  | 'volumes'
  | 'spread'
  | 'affinity'
  | 'anti-affinity'
  | 'size'
  | 'host-ports'
  | 'attachments'
  | 'capacity'
  | 'limits'
  | 'min-values';

/** Stable: people filter and alert on these. Add, never rename. */
export type RefusalCode =
  | 'no-pools'
  | 'pool-not-ready'
  | 'taint-not-tolerated'
  | 'labels-do-not-match'
  | 'volume-elsewhere'
  | 'volume-in-use'
  | 'spread-not-kept'
  | 'affinity-not-met'
  | 'kept-apart'
  | 'too-large'
  | 'no-capacity-offered'
  | 'limit-reached'
  | 'host-port-taken'
  | 'unsupported-constraint'
  | 'invalid-pod'
  | 'min-values'
  | 'planned-again'
  | 'no-single-reason';
