import { firstRepellingTaint, type Pod } from '../cluster/pod.ts';
import type { Pool, Snapshot } from '../cluster/snapshot.ts';
import type { Refusal, RefusalCode, RefusalPart } from '../explain/reason.ts';
import { setText, shortList, taintText } from '../explain/words.ts';
import { firstUnmet } from '../requirements/requirements.ts';
import { anyValue } from '../requirements/value-set.ts';
import { isWellKnownLabel } from '../requirements/well-known.ts';
import { byName } from '../text-order.ts';
import { admittedAlternatives } from './admission.ts';
import type { LimitLedger } from './limits.ts';
import { whyNoType } from './type-refusal.ts';

/** A code and what is wrong, without the subject's name. */
export interface Why {
  readonly code: RefusalCode;
  readonly text: string;
}

/** Why the pod was not even tried, as far as it lies in the pod itself. */
export function refusalOfPod(pod: Pod): Refusal | undefined {
  if (pod.invalid !== undefined && pod.invalid.length > 0)
    return {
      code: 'invalid-pod',
      sentence: `its manifest cannot be read: ${pod.invalid.join('; ')}.`,
      parts: [],
    };
  if (pod.unsupported.length === 0) return undefined;
  return {
    code: 'unsupported-constraint',
    sentence:
      `it uses ${shortList(pod.unsupported, 3)}, which is not placed by yet: ` +
      'no node is ordered for it, since it might not fit there.',
    parts: [],
  };
}

export interface RefusalContext {
  readonly snapshot: Snapshot;
  /** As it stands once everything that could be ordered is charged. */
  readonly ledger: LimitLedger;
}

/** Why no pool has a node for the pod: the same for every pod of its class. */
export function refusalOf(pod: Pod, { snapshot, ledger }: RefusalContext): Refusal {
  const pools = [...snapshot.pools].sort(heaviestFirst);
  if (pools.length === 0)
    return {
      code: 'no-pools',
      sentence: 'no node has room for it and there is no NodePool to order one from: create one.',
      parts: [],
    };
  const parts = pools.map((pool) => partOf(pool, whyNot(pod, pool, { snapshot, ledger })));
  const codes = new Set(parts.map((part) => part.code));
  const [code = 'no-single-reason', ...others] = codes;
  // The pools that would take the pod but for one thing are the ones worth reading about.
  const nearest = [...parts].sort((a, b) => nearness(a.code) - nearness(b.code));
  const told = nearest.slice(0, 3).map((part) => part.sentence);
  if (parts.length > told.length) told.push(`${parts.length - told.length} more NodePools.`);
  return { code: others.length > 0 ? 'no-single-reason' : code, sentence: told.join(' '), parts };
}

/** How far a pool is from taking the pod: what labels or taints turn away was hardly meant for it. */
function nearness(code: RefusalCode): number {
  if (code === 'labels-do-not-match') return 2;
  return code === 'taint-not-tolerated' ? 1 : 0;
}

function partOf(pool: Pool, { code, text }: Why): RefusalPart {
  return {
    subject: { kind: 'NodePool', name: pool.name },
    code,
    sentence: `NodePool ${pool.name}: ${text}.`,
  };
}

function whyNot(pod: Pod, pool: Pool, context: RefusalContext): Why {
  if (pool.notReady !== undefined)
    return { code: 'pool-not-ready', text: `nothing can be ordered from it: ${pool.notReady}` };
  const taint = firstRepellingTaint(pod.tolerations, pool.taints);
  if (taint !== undefined)
    return {
      code: 'taint-not-tolerated',
      text: `the pod does not tolerate its taint ${taintText(taint)}`,
    };
  const alternatives = admittedAlternatives(pool, pod);
  if (alternatives.length === 0) return whyLabels(pod, pool);
  return whyNoType({ pod, pool, alternatives, ...context });
}

function whyLabels(pod: Pod, pool: Pool): Why {
  const [wanted = new Map()] = pod.nodeAlternatives;
  const key = firstUnmet(pool.requirements, wanted, isWellKnownLabel) ?? '';
  const offered = pool.requirements.get(key);
  const wish = `the pod wants ${key} ${setText(key, wanted.get(key) ?? anyValue)}`;
  return {
    code: 'labels-do-not-match',
    text:
      offered === undefined
        ? `${wish}, a label that the pool does not define: add it to the pool's requirements or labels`
        : `${wish}, the pool allows ${setText(key, offered)}`,
  };
}

function heaviestFirst(a: Pool, b: Pool): number {
  return b.weight - a.weight || byName(a, b);
}
