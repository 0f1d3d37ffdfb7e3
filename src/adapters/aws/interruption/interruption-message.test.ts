import { describe, expect, test } from 'vitest';
import { parseInterruption } from './interruption-message.ts';

function event(source: string, type: string, detail: object, version = '0'): string {
  return JSON.stringify({ version, source, 'detail-type': type, detail });
}

const ids = { 'instance-id': 'i-1' };
const health = {
  service: 'EC2',
  eventTypeCategory: 'scheduledChange',
  affectedEntities: [{ entityValue: 'i-1' }, { entityValue: 'i-2' }],
};
const stateChange = 'EC2 Instance State-change Notification';

describe('parseInterruption', () => {
  test.each([
    [
      'a spot warning',
      event('aws.ec2', 'EC2 Spot Instance Interruption Warning', ids),
      'spot-interruption',
      ['i-1'],
    ],
    [
      'a rebalance hint',
      event('aws.ec2', 'EC2 Instance Rebalance Recommendation', ids),
      'rebalance',
      ['i-1'],
    ],
    [
      'a stop',
      event('aws.ec2', stateChange, { ...ids, state: 'stopping' }),
      'instance-stopped',
      ['i-1'],
    ],
    [
      'an end',
      event('aws.ec2', stateChange, { ...ids, state: 'terminated' }),
      'instance-terminated',
      ['i-1'],
    ],
    ['a start', event('aws.ec2', stateChange, { ...ids, state: 'running' }), 'other', []],
    [
      'a reservation taken back',
      event('aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning', ids),
      'capacity-reservation-interruption',
      ['i-1'],
    ],
    [
      'maintenance',
      event('aws.health', 'AWS Health Event', health),
      'scheduled-change',
      ['i-1', 'i-2'],
    ],
    [
      'health of another service',
      event('aws.health', 'AWS Health Event', { ...health, service: 'RDS' }),
      'other',
      [],
    ],
    [
      'another category',
      event('aws.health', 'AWS Health Event', { ...health, eventTypeCategory: 'issue' }),
      'other',
      [],
    ],
    [
      'an unknown version',
      event('aws.ec2', 'EC2 Spot Instance Interruption Warning', ids, '1'),
      'other',
      [],
    ],
    ['an unknown kind', event('aws.s3', 'Object Created', {}), 'other', []],
    [
      'a warning that names nobody',
      event('aws.ec2', 'EC2 Spot Instance Interruption Warning', {}),
      'other',
      [],
    ],
    ['no JSON', 'hello', 'other', []],
    ['nothing', undefined, 'other', []],
  ])('%s', (_, body, kind, instanceIds) => {
    expect(parseInterruption(body)).toMatchObject({ kind, instanceIds });
  });
});
