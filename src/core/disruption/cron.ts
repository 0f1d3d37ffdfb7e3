/** The minutes of a five-field schedule, in UTC. A field is the set of values it allows. */
export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Both day fields are restricted: then either suffices, otherwise both must hold. */
  readonly isEitherDay: boolean;
}

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const weekdayNames = 'sun mon tue wed thu fri sat'.split(' ');

/** The schedule, or undefined where the text is none. */
export function parseSchedule(text: string): Schedule | undefined {
  const fields = (macros[text] ?? text).trim().split(/\s+/);
  const [minute, hour, day, month, weekday] = fields;
  if (fields.length !== 5 || minute === undefined || hour === undefined) return undefined;
  if (day === undefined || month === undefined || weekday === undefined) return undefined;
  const minutes = parseField(minute, { min: 0, max: 59 });
  const hours = parseField(hour, { min: 0, max: 23 });
  const days = parseField(day, { min: 1, max: 31 });
  const months = parseField(month, { min: 1, max: 12, names: monthNames });
  const weekdays = parseField(weekday, { min: 0, max: 6, names: weekdayNames });
  if (minutes === undefined || hours === undefined || days === undefined) return undefined;
  if (months === undefined || weekdays === undefined) return undefined;
  const isEitherDay = !isStar(day) && !isStar(weekday);
  return { minutes, hours, days, months, weekdays, isEitherDay };
}

const dayMs = 86_400_000;
/** Every combination of date and weekday recurs within 28 years, and within 40 over a century. */
const horizonDays = 40 * 366;

/** The first hit strictly after the moment, or undefined where there is none in forty years. */
export function nextHit(schedule: Schedule, afterMs: number): number | undefined {
  const firstDay = Math.floor(afterMs / dayMs);
  for (let day = firstDay; day <= firstDay + horizonDays; day++) {
    if (!isDay(schedule, day * dayMs)) continue;
    const hit = hitOfDay(schedule, day * dayMs, afterMs);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function isDay(schedule: Schedule, dayStartMs: number): boolean {
  const date = new Date(dayStartMs);
  if (!schedule.months.has(date.getUTCMonth() + 1)) return false;
  const isDate = schedule.days.has(date.getUTCDate());
  const isWeekday = schedule.weekdays.has(date.getUTCDay());
  return schedule.isEitherDay ? isDate || isWeekday : isDate && isWeekday;
}

function hitOfDay(schedule: Schedule, dayStartMs: number, afterMs: number): number | undefined {
  for (let minute = 0; minute < 24 * 60; minute++) {
    const hitMs = dayStartMs + minute * 60_000;
    if (hitMs <= afterMs || !schedule.hours.has(Math.floor(minute / 60))) continue;
    if (schedule.minutes.has(minute % 60)) return hitMs;
  }
  return undefined;
}

interface FieldRange {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

function isStar(field: string): boolean {
  return field.split(',').some((item) => /^[*?](\/1)?$/.test(item));
}

function parseField(field: string, range: FieldRange): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const item of field.split(',')) {
    const span = parseItem(item, range);
    if (span === undefined) return undefined;
    for (let value = span.from; value <= span.to; value += span.step) values.add(value);
  }
  return values;
}

/** `5`, `1-5`, `*`, and each of them with a step; `5/10` runs to the end of the range. */
function parseItem(
  item: string,
  range: FieldRange,
): { readonly from: number; readonly to: number; readonly step: number } | undefined {
  const match = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(item);
  if (match === null) return undefined;
  const [, star, low, high, stepText] = match;
  const step = stepText === undefined ? 1 : Number(stepText);
  if (step === 0) return undefined;
  if (star !== undefined) return { from: range.min, to: range.max, step };
  const from = parseValue(low, range);
  if (from === undefined) return undefined;
  const openEnd = stepText === undefined ? from : range.max;
  const to = high === undefined ? openEnd : parseValue(high, range);
  return to === undefined || to < from ? undefined : { from, to, step };
}

function parseValue(text: string | undefined, range: FieldRange): number | undefined {
  if (text === undefined) return undefined;
  const named = range.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return range.min + named;
  if (!/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= range.min && value <= range.max ? value : undefined;
}
