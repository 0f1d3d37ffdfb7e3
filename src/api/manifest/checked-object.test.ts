import { describe, expect, test } from 'vitest';
import type { ValueMap } from '../value.ts';
import { checkedObject } from './checked-object.ts';

const container = { name: 'main', image: 'nginx' };

function deployment(podSpec: object, spec: object = {}): ValueMap {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: podSpec },
      ...spec,
    },
  } as unknown as ValueMap;
}

function faultsOf(object: ValueMap): readonly string[] {
  return checkedObject(object, 'Deployment').faults.map(({ sentence }) => sentence);
}

describe('a checked object', () => {
  test('has known fields only, without those that are null', () => {
    const { object, faults } = checkedObject(
      deployment({ containers: [container], nodeSelector: null, tolerations: [] }),
      'Deployment',
    );
    expect(faults).toEqual([]);
    expect(object).toEqual(deployment({ containers: [container] }));
  });

  test.each([
    {
      name: 'a misspelt field, with the one that was meant',
      object: deployment({ containers: [{ ...container, resource: {} }] }),
      fault:
        'spec.template.spec.containers[0].resource is no field that is known here; write resources if that is meant',
    },
    {
      name: 'a value of a wrong type',
      object: deployment({ containers: [container] }, { replicas: 'three' }),
      fault: 'spec.replicas must be a whole number, not "three"',
    },
    {
      name: 'a list that is none',
      object: deployment({ containers: container }),
      fault: 'spec.template.spec.containers must be a list',
    },
    {
      name: 'an amount that is none',
      object: deployment({
        containers: [{ ...container, resources: { requests: { cpu: '1 c' } } }],
      }),
      fault:
        'spec.template.spec.containers[0].resources.requests.cpu must be a quantity such as 500m or 2Gi, not "1 c"',
    },
    {
      name: 'less than nothing',
      object: deployment({ containers: [{ ...container, resources: { limits: { cpu: -1 } } }] }),
      fault:
        'spec.template.spec.containers[0].resources.limits.cpu must be a quantity such as 500m or 2Gi, not -1',
    },
    {
      name: 'what is missing',
      object: deployment({}),
      fault: 'spec.template.spec.containers is missing',
    },
    {
      name: 'a word that has no meaning in its place',
      object: deployment({
        containers: [container],
        tolerations: [{ key: 'a', operator: 'exists' }],
      }),
      fault:
        'spec.template.spec.tolerations[0].operator must be one of Exists, Equal, Gt, Lt, not "exists"',
    },
  ])('tells $name', ({ object, fault }) => {
    expect(faultsOf(object)).toEqual([fault]);
  });
});
