import { isList, isMap, type Value } from '../value.ts';
import type { Revision } from './revision.ts';

const expireAfter = ['spec', 'template', 'spec', 'expireAfter'];
const disruption = ['spec', 'disruption'];

/** Brings the disruption block of a NodePool to v1. */
export function reviseDisruption(revision: Revision): void {
  if (!isMap(revision.at(...disruption))) return;
  reviseExpiry(revision);
  revisePolicy(revision);
  reviseBudgets(revision);
  const left = revision.at(...disruption);
  // An empty block would stand for nothing, and reads like a decision.
  if (isMap(left) && Object.keys(left).length === 0)
    revision.change(
      { why: 'nothing is left in it', now: 'nothing; the defaults hold without it' },
      { kind: 'remove', at: disruption },
    );
  else completeQuiet(revision);
}

const quietTime = [...disruption, 'consolidateAfter'];

/** v1 wants the duration wherever the block is; without the block it is 0s. */
function completeQuiet(revision: Revision): void {
  if (revision.has(...quietTime)) return;
  if (revision.at(...disruption, 'consolidationPolicy') === 'WhenEmpty') {
    revision.ask(quietTime, 'how long must a node be empty before it goes? for example 30s', {
      why: 'v1 wants consolidateAfter, and the manifest does not say it',
      now: 'the API server refuses it until it is answered',
    });
    return;
  }
  revision.change(
    { why: 'v1 wants consolidateAfter in a disruption block', now: 'nothing; 0s is what held' },
    { kind: 'set', at: quietTime, value: '0s' },
  );
}

function reviseExpiry(revision: Revision): void {
  const from = [...disruption, 'expireAfter'];
  if (!revision.has(...from)) return;
  if (revision.has(...expireAfter)) {
    const why = 'spec.template.spec.expireAfter stands beside it and is what v1 reads';
    revision.change({ why, now: 'nothing' }, { kind: 'remove', at: from });
    return;
  }
  revision.change(
    {
      why: 'in v1 the age at which nodes expire belongs to the template',
      now: 'expired nodes are drained whatever the budgets say, and changing the age replaces nodes; terminationGracePeriod bounds the drain',
    },
    { kind: 'move', from, to: expireAfter },
  );
}

function revisePolicy(revision: Revision): void {
  const at = [...disruption, 'consolidationPolicy'];
  const policy = revision.at(...at);
  const quiet = revision.at(...quietTime);
  if (policy === 'WhenUnderutilized')
    revision.change(
      {
        why: 'v1 calls the policy WhenEmptyOrUnderutilized',
        now: 'nothing; it removed empty nodes before as well',
      },
      { kind: 'set', at, value: 'WhenEmptyOrUnderutilized' },
      ...(quiet === undefined ? ([{ kind: 'set', at: quietTime, value: '0s' }] as const) : []),
    );
  if (quiet === undefined || policy === 'WhenEmpty') return;
  if (policy !== undefined && policy !== 'WhenUnderutilized') return;
  revision.remark(quietTime, `spec.disruption.consolidateAfter: ${JSON.stringify(quiet)} is kept`, {
    why: 'v1beta1 refused it unless the policy was WhenEmpty; v1 takes it with every policy',
    now: 'a node is consolidated once no pod came or went for that long',
  });
}

const reasons = ['Underutilized', 'Empty', 'Drifted'];

/** Reasons that were never reasons, and the one that was meant. */
const meant: Readonly<Record<string, string>> = {
  underutilizedgpu: 'Underutilized',
  underutilised: 'Underutilized',
  consolidation: 'Underutilized',
  emptiness: 'Empty',
  drift: 'Drifted',
};

function reviseBudgets(revision: Revision): void {
  const budgets = revision.at(...disruption, 'budgets');
  if (!isList(budgets)) return;
  for (const index of budgets.keys()) reviseReasons(revision, index);
}

function reviseReasons(revision: Revision, index: number): void {
  const list = [...disruption, 'budgets', index, 'reasons'];
  const before = revision.at(...list);
  if (!isList(before)) return;
  // From the last to the first, so that numbers stay true while entries go.
  for (let place = before.length - 1; place >= 0; place--) {
    const written = before[place];
    const now = revision.at(...list);
    const others = isList(now) ? now.filter((_, other) => other !== place) : [];
    reviseReason(revision, { at: [...list, place], written, others });
  }
}

interface Reason {
  readonly at: readonly (string | number)[];
  readonly written: Value | undefined;
  readonly others: readonly Value[];
}

function reviseReason(revision: Revision, { at, written, others }: Reason): void {
  if (typeof written !== 'string' || reasons.includes(written)) return;
  const lower = written.toLowerCase();
  const same = reasons.find((reason) => reason.toLowerCase() === lower);
  const reason = same ?? (Object.hasOwn(meant, lower) ? meant[lower] : undefined);
  if (reason === undefined) {
    revision.ask(at, `which reason is ${written}? v1 knows ${reasons.join(', ')}`, {
      why: 'there is no such reason to disrupt a node',
      now: 'the API server refuses it until it is answered',
    });
    return;
  }
  const now = `the budget counts ${reason} nodes, with or without a GPU`;
  const why = `there is no reason ${written}; such nodes are ${reason}`;
  if (others.includes(reason))
    revision.change({ why: `${why}, which the budget names already`, now }, { kind: 'remove', at });
  else revision.change({ why, now }, { kind: 'set', at, value: reason });
}
