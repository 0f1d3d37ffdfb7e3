import type { Path, Value } from '../value.ts';
import type { Edit } from './edit.ts';
import type { Revision } from './revision.ts';

const policy = ['spec', 'disruption', 'consolidationPolicy'];
const after = ['spec', 'disruption', 'consolidateAfter'];
const expireAfter = ['spec', 'template', 'spec', 'expireAfter'];

/** Turns the seconds and switches of a Provisioner into the disruption block of a NodePool. */
export function reviseTimes(revision: Revision): void {
  reviseConsolidation(revision);
  reviseExpiry(revision);
}

function reviseConsolidation(revision: Revision): void {
  const enabled = revision.at('spec', 'consolidation', 'enabled');
  const empty = revision.at('spec', 'ttlSecondsAfterEmpty');
  const seconds = ['spec', 'ttlSecondsAfterEmpty'];
  const gone = removals(revision, [['spec', 'consolidation'], seconds]);
  if (enabled === true) {
    const why = 'consolidation is a policy of the disruption block';
    const now =
      'as before, empty and underutilized nodes go at once; by default at most 10% at a time';
    revision.change({ why, now }, ...gone, ...settings('WhenEmptyOrUnderutilized', '0s'));
    return;
  }
  if (isSeconds(empty)) {
    const why = 'the wait before an empty node goes is written as policy and duration';
    const now = 'as before, only empty nodes go; by default at most 10% at a time';
    revision.change(
      { why, now },
      ...removals(revision, [['spec', 'consolidation']]),
      { kind: 'set', at: policy, value: 'WhenEmpty' },
      { kind: 'move', from: seconds, to: after },
      { kind: 'set', at: after, value: `${empty}s` },
    );
    return;
  }
  if (gone.length > 0 && empty !== undefined) {
    askForSeconds(revision, seconds);
    return;
  }
  revision.change(
    {
      why: 'this Provisioner removed no nodes by itself, and a NodePool without a policy does',
      now: 'nothing; take consolidateAfter out to let nodes be consolidated',
    },
    ...gone,
    ...settings('WhenEmpty', 'Never'),
  );
}

function settings(name: string, duration: string): readonly Edit[] {
  return [
    { kind: 'set', at: policy, value: name },
    { kind: 'set', at: after, value: duration },
  ];
}

function reviseExpiry(revision: Revision): void {
  const at = ['spec', 'ttlSecondsUntilExpired'];
  const seconds = revision.at(...at);
  if (seconds !== undefined && !isSeconds(seconds)) {
    askForSeconds(revision, at);
    return;
  }
  const value = seconds === undefined ? 'Never' : `${seconds}s`;
  const why =
    seconds === undefined
      ? 'nodes of this Provisioner did not expire, and those of a NodePool do after 720h'
      : 'the age at which nodes expire is a duration in the template';
  const now =
    seconds === undefined
      ? 'nothing'
      : 'expired nodes are drained whatever the budgets say; terminationGracePeriod bounds the drain';
  revision.change({ why, now }, ...removals(revision, [at]), {
    kind: 'set',
    at: expireAfter,
    value,
  });
}

function removals(revision: Revision, paths: readonly Path[]): readonly Edit[] {
  return paths.filter((at) => revision.has(...at)).map((at) => ({ kind: 'remove', at }));
}

function askForSeconds(revision: Revision, at: Path): void {
  revision.ask(at, 'how many seconds is it? write it as a duration in its new place', {
    why: 'it was a number of seconds and this is none',
    now: 'the field is unknown in v1 until it is answered',
  });
}

function isSeconds(value: Value | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
