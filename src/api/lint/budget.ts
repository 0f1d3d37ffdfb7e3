import { nextHit, parseSchedule } from '../../core/disruption/cron.ts';
import { parseDuration } from '../decode/duration.ts';
import { isList, isMap, type Path, type Value, type ValueMap, valueAt } from '../value.ts';
import { type Finding, finding } from './finding.ts';
import { type Interval, intervalsOf, merged, missingIn } from './interval.ts';

const reasons = ['Underutilized', 'Empty', 'Drifted'];
const path: Path = ['spec', 'disruption', 'budgets'];

/** A Monday, and two weeks from it: every weekly pattern shows itself twice. */
const from = 1_767_571_200_000;
const until = from + 14 * 86_400_000;

interface Budget {
  readonly index: number;
  readonly isZero: boolean;
  readonly reasons: readonly string[];
  readonly isAlways: boolean;
  /** When it is in force; undefined where its schedule or duration cannot be read. */
  readonly windows: readonly Interval[] | undefined;
}

/** Budgets that block for ever, leave a gap by accident, or forget a reason. */
export function poolBudgets(pool: Value): readonly Finding[] {
  const list = valueAt(pool, path);
  if (!isList(list) || list.length === 0) return [];
  const budgets = list.flatMap((entry, index) => (isMap(entry) ? [budgetOf(entry, index)] : []));
  return [...never(budgets), ...holes(budgets), ...unlimited(budgets)];
}

function budgetOf(entry: ValueMap, index: number): Budget {
  const { nodes = '10%', schedule, duration } = entry;
  const named = isList(entry.reasons) ? entry.reasons.map(String) : reasons;
  const isAlways = schedule === undefined && duration === undefined;
  return {
    index,
    isZero: /^0+%?$/.test(String(nodes)),
    reasons: named,
    isAlways,
    windows: isAlways ? [{ from, until }] : windowsOf(schedule, duration),
  };
}

function windowsOf(schedule: Value | undefined, duration: Value | undefined) {
  const parsed = typeof schedule === 'string' ? parseSchedule(schedule) : undefined;
  const lengthMs = typeof duration === 'string' ? parseDuration(duration) : undefined;
  if (parsed === undefined || lengthMs === undefined) return undefined;
  return intervalsOf((after) => nextHit(parsed, after), { from, until, lengthMs });
}

function never(budgets: readonly Budget[]): readonly Finding[] {
  const unreadable = budgets.filter(({ windows }) => windows === undefined);
  const faults = unreadable.map(({ index }) =>
    finding('KTS005', {
      path: [...path, index, 'schedule'],
      sentence:
        'the schedule or the duration cannot be read, and then the pool allows no disruption at all',
      fix: 'write five cron fields in UTC, such as "0 9 * * 1-5", and a duration such as 8h',
    }),
  );
  if (faults.length > 0) return faults;
  const blocked = reasons.filter((reason) => isCovered(budgets, reason));
  if (blocked.length === 0) return [];
  const last = budgets.findLast(
    ({ isZero, reasons: own }) => isZero && blocked.some((reason) => own.includes(reason)),
  );
  const which = blocked.length === reasons.length ? 'any reason' : blocked.join(' and ');
  return [
    finding('KTS005', {
      path: [...path, last?.index ?? 0],
      sentence: `at no time may a node be disrupted for ${which}: drift, consolidation and upgrades wait for ever`,
      fix: 'give the budget of 0 nodes a schedule and a duration that leave time, or a number above 0',
    }),
  ];
}

function isCovered(budgets: readonly Budget[], reason: string): boolean {
  const closed = merged(zeros(budgets, reason).flatMap(({ windows }) => windows ?? []));
  return closed.some((interval) => interval.from <= from && interval.until >= until);
}

function zeros(budgets: readonly Budget[], reason: string): readonly Budget[] {
  return budgets.filter(({ isZero, reasons: own }) => isZero && own.includes(reason));
}

const hourMs = 3_600_000;
/** Where two blocked times lie nearer than this, the gap is an oversight rather than a plan. */
const oversightMs = 2 * hourMs;
/** A window this long leaves a gap on purpose: the time for maintenance. */
const longMs = 18 * hourMs;

function holes(budgets: readonly Budget[]): readonly Finding[] {
  for (const reason of reasons) {
    const closing = zeros(budgets, reason).filter(({ isAlways }) => !isAlways);
    const closed = merged(closing.flatMap(({ windows }) => windows ?? []));
    const gap = missingIn(closed).find(
      ({ before, gapMs, after }) =>
        gapMs <= oversightMs &&
        before.until - before.from < longMs &&
        after.until - after.from < longMs,
    );
    if (gap === undefined) continue;
    const begin = timeText(gap.before.until);
    const end = timeText(gap.after.from);
    return [
      finding('KTS006', {
        path: [...path, closing.at(-1)?.index ?? 0],
        sentence: `between ${begin} and ${end} UTC no budget blocks disruption, though one does just before and just after`,
        fix: 'make the duration reach the next beginning, or use one budget for the whole time',
      }),
    ];
  }
  return [];
}

function timeText(ms: number): string {
  const date = new Date(ms);
  const day = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][
    date.getUTCDay()
  ];
  return `${day} ${date.toISOString().slice(11, 16)}`;
}

/** Once a budget names reasons, those that no budget names are without any limit. */
function unlimited(budgets: readonly Budget[]): readonly Finding[] {
  const standing = budgets.filter(({ isAlways }) => isAlways);
  const free = reasons.filter(
    (reason) => !standing.some(({ reasons: own }) => own.includes(reason)),
  );
  if (free.length === 0 || standing.length === 0) return [];
  return [
    finding('KTS007', {
      path: [...path, standing[0]?.index ?? 0, 'reasons'],
      sentence: `no standing budget limits ${free.join(' and ')}: all such nodes may be disrupted at once`,
      fix: `add a budget without reasons, such as {nodes: "10%"}, or name ${free.join(', ')} in one`,
    }),
  ];
}
