import type { InterruptionMessage } from '../../../ports/cloud-provider.ts';

type ParsedMessage = Omit<InterruptionMessage, 'receipt'>;

const other = (text: string): ParsedMessage => ({ kind: 'other', instanceIds: [], text });

/** What an EventBridge event on the queue means. Text that is none is `other`, never an error. */
export function parseInterruption(body: string | undefined): ParsedMessage {
  const event = parseObject(body);
  if (event === undefined) return other('a message that is not an event');
  const detail = objectOf(event.detail);
  const kind = `${textOf(event.source)}/${textOf(event['detail-type'])}`;
  const parse = parsers[kind];
  if (parse === undefined || textOf(event.version) !== '0')
    return other(`an event of an unknown kind: ${kind}`);
  const happenedAtMs = Date.parse(textOf(event.time));
  const parsed = parse(detail);
  return Number.isNaN(happenedAtMs) ? parsed : { ...parsed, happenedAtMs };
}

const parsers: Readonly<Record<string, (detail: Fields) => ParsedMessage>> = {
  'aws.ec2/EC2 Spot Instance Interruption Warning': (detail) =>
    about(detail, 'spot-interruption', 'EC2 takes this spot instance back in two minutes'),
  'aws.ec2/EC2 Instance Rebalance Recommendation': (detail) =>
    about(detail, 'rebalance', 'EC2 sees a raised risk that this spot instance is taken back'),
  'aws.ec2/EC2 Capacity Reservation Instance Interruption Warning': (detail) =>
    about(
      detail,
      'capacity-reservation-interruption',
      'the capacity reservation of this instance is taken back',
    ),
  'aws.ec2/EC2 Instance State-change Notification': stateChange,
  'aws.health/AWS Health Event': healthEvent,
};

type Fields = Readonly<Record<string, unknown>>;

function about(detail: Fields, kind: InterruptionMessage['kind'], text: string): ParsedMessage {
  const id = textOf(detail['instance-id']);
  return id === '' ? other(`${text}, but it is not named`) : { kind, instanceIds: [id], text };
}

const ends: Readonly<Record<string, 'instance-stopped' | 'instance-terminated'>> = {
  stopping: 'instance-stopped',
  stopped: 'instance-stopped',
  'shutting-down': 'instance-terminated',
  terminated: 'instance-terminated',
};

function stateChange(detail: Fields): ParsedMessage {
  const state = textOf(detail.state);
  const kind = ends[state];
  return kind === undefined
    ? other(`an instance is ${state}`)
    : about(detail, kind, `the instance is ${state}`);
}

function healthEvent(detail: Fields): ParsedMessage {
  const [service, category] = [textOf(detail.service), textOf(detail.eventTypeCategory)];
  if (service !== 'EC2' || category !== 'scheduledChange')
    return other(`a health event of ${service}, ${category}`);
  const entities = Array.isArray(detail.affectedEntities) ? detail.affectedEntities : [];
  const instanceIds = entities
    .map((entity: unknown) => textOf(objectOf(entity).entityValue))
    .filter((id) => id !== '');
  const code = textOf(detail.eventTypeCode);
  return { kind: 'scheduled-change', instanceIds, text: `AWS plans maintenance: ${code}` };
}

function parseObject(body: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body ?? '');
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
