import { type Json, listAt, objectAt, valueAt } from '../json.ts';
import { countAt, orElse, wordAt } from './cell-value.ts';
import { ageColumn, type ColumnRule, integer, nameColumn, text, truth, wide } from './column.ts';
import { age } from './human-duration.ts';

export const namespaceColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Status', 'Active, or on its way out.', (object) => wordAt(object, 'status', 'phase')),
  ageColumn,
];

export const eventColumns: readonly ColumnRule[] = [
  text('Last Seen', 'Time since it last happened.', lastSeen),
  text('Type', 'Normal or Warning.', (event) => wordAt(event, 'type')),
  text('Reason', 'Why, in one word.', (event) => wordAt(event, 'reason')),
  text('Object', 'What it happened to.', eventObject),
  wide(text('Subobject', 'Part of that object.', (event) => wordAt(about(event), 'fieldPath'))),
  wide(text('Source', 'Who reports it.', eventSource)),
  text('Message', 'What happened.', (event) =>
    orElse(wordAt(event, 'message'), wordAt(event, 'note')).trim(),
  ),
  wide(text('First Seen', 'Time since it first happened.', firstSeen)),
  wide(text('Count', 'How often it happened.', eventCount)),
  wide(nameColumn),
];

export const podDisruptionBudgetColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Min Available', 'Pods that must stay.', (object) =>
    orElse(wordAt(object, 'spec', 'minAvailable'), 'N/A'),
  ),
  text('Max Unavailable', 'Pods that may be missing.', (object) =>
    orElse(wordAt(object, 'spec', 'maxUnavailable'), 'N/A'),
  ),
  integer('Allowed Disruptions', 'Pods that may be evicted now.', (object) =>
    countAt(object, 'status', 'disruptionsAllowed'),
  ),
  ageColumn,
];

export const leaseColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Holder', 'Who holds the lease.', (object) => wordAt(object, 'spec', 'holderIdentity')),
  ageColumn,
];

export const configMapColumns: readonly ColumnRule[] = [
  nameColumn,
  text(
    'Data',
    'Number of entries.',
    (object) => size(objectAt(object, 'data')) + size(objectAt(object, 'binaryData')),
  ),
  ageColumn,
];

export const secretColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Type', 'What the entries are for.', (object) => wordAt(object, 'type')),
  text('Data', 'Number of entries.', (object) => size(objectAt(object, 'data'))),
  ageColumn,
];

export const nameAndAge: readonly ColumnRule[] = [nameColumn, ageColumn];

export const priorityClassColumns: readonly ColumnRule[] = [
  nameColumn,
  integer('Value', 'The priority.', (object) => countAt(object, 'value')),
  truth(
    'Global-Default',
    'Whether pods without a class get it.',
    (object) => valueAt(object, 'globalDefault') === true,
  ),
  ageColumn,
  text('PreemptionPolicy', 'Whether other pods make way.', (object) =>
    wordAt(object, 'preemptionPolicy'),
  ),
];

export const runtimeClassColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Handler', 'Runtime configuration on the node.', (object) => wordAt(object, 'handler')),
  ageColumn,
];

export const webhookColumns: readonly ColumnRule[] = [
  nameColumn,
  integer('Webhooks', 'Number of webhooks.', (object) => listAt(object, 'webhooks').length),
  ageColumn,
];

export const roleBindingColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Role', 'What is granted.', (object) =>
    [wordAt(object, 'roleRef', 'kind'), wordAt(object, 'roleRef', 'name')].join('/'),
  ),
  ageColumn,
  wide(text('Users', 'Users it is granted to.', (object) => subjects(object, 'User'))),
  wide(text('Groups', 'Groups it is granted to.', (object) => subjects(object, 'Group'))),
  wide(
    text('ServiceAccounts', 'Service accounts it is granted to.', (object) =>
      subjects(object, 'ServiceAccount'),
    ),
  ),
];

export const resourceQuotaColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Request', 'Used, of what may be used.', (object) => quotas(object, 'requests')),
  text('Limit', 'Limits given, of what may be given.', (object) => quotas(object, 'limits')),
  ageColumn,
];

function size(object: object): number {
  return Object.keys(object).length;
}

/** The newer event kind names its object `regarding`. */
function about(event: Json | undefined): Json | undefined {
  return valueAt(event, 'involvedObject') ?? valueAt(event, 'regarding');
}

function eventObject(event: Json | undefined): string {
  const kind = wordAt(about(event), 'kind').toLowerCase();
  const name = wordAt(about(event), 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function firstSeen(event: Json | undefined, nowMs: number): string {
  const first = orElse(wordAt(event, 'firstTimestamp'), wordAt(event, 'deprecatedFirstTimestamp'));
  return age(orElse(first, wordAt(event, 'eventTime')), nowMs);
}

function lastSeen(event: Json | undefined, nowMs: number): string {
  if (valueAt(event, 'series') !== undefined) {
    return age(wordAt(event, 'series', 'lastObservedTime'), nowMs);
  }
  const last = orElse(wordAt(event, 'lastTimestamp'), wordAt(event, 'deprecatedLastTimestamp'));
  return last === '' ? firstSeen(event, nowMs) : age(last, nowMs);
}

function eventCount(event: Json | undefined): number {
  if (valueAt(event, 'series') !== undefined) return countAt(event, 'series', 'count');
  // An event that happened once may leave its count out.
  return countAt(event, 'count') || countAt(event, 'deprecatedCount') || 1;
}

function eventSource(event: Json | undefined): string {
  const source = valueAt(event, 'source') ?? valueAt(event, 'deprecatedSource');
  const component = orElse(wordAt(source, 'component'), wordAt(event, 'reportingComponent'));
  const host = orElse(wordAt(source, 'host'), wordAt(event, 'reportingInstance'));
  return [orElse(component, wordAt(event, 'reportingController')), host]
    .filter((part) => part !== '')
    .join(', ');
}

function subjects(binding: Json | undefined, kind: string): string {
  return listAt(binding, 'subjects')
    .filter((subject) => wordAt(subject, 'kind') === kind)
    .map((subject) => {
      const name = wordAt(subject, 'name');
      return kind === 'ServiceAccount' ? `${wordAt(subject, 'namespace')}/${name}` : name;
    })
    .join(', ');
}

function quotas(quota: Json | undefined, side: 'requests' | 'limits'): string {
  return Object.entries(objectAt(quota, 'status', 'hard'))
    .filter(([name]) => name.startsWith('limits.') === (side === 'limits'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, hard]) => `${name}: ${orElse(wordAt(quota, 'status', 'used', name), '0')}/${hard}`)
    .join(', ');
}
