import { describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { findAll, parseJsonPath } from './json-path.ts';

const object = {
  metadata: { labels: { 'karpenter.sh/capacity-type': 'spot' } },
  spec: { size: 3, list: ['a', 'b'], map: { x: 1 } },
  status: {
    conditions: [
      { type: 'Other', status: 'False', count: 2 },
      { type: 'Ready', status: 'True', count: 3 },
    ],
  },
};

function find(path: string): readonly Json[] | undefined {
  const steps = parseJsonPath(path);
  return steps === undefined ? undefined : findAll(object, steps);
}

describe('a path of a printer column', () => {
  test.each([
    { path: '.spec.size', finds: [3] },
    { path: '.spec.missing.deeper', finds: [] },
    { path: String.raw`.metadata.labels.karpenter\.sh/capacity-type`, finds: ['spot'] },
    { path: ".metadata.labels['karpenter.sh/capacity-type']", finds: ['spot'] },
    { path: String.raw`.metadata.labels['karpenter\.sh/capacity-type']`, finds: ['spot'] },
    { path: '.spec.list', finds: [['a', 'b']] },
    { path: '.spec.list[0]', finds: ['a'] },
    { path: '.spec.list[-1]', finds: ['b'] },
    { path: '.spec.list[7]', finds: [] },
    { path: '.spec.list[*]', finds: ['a', 'b'] },
    { path: '.status.conditions[?(@.type=="Ready")].status', finds: ['True'] },
    { path: ".status.conditions[?(@.type == 'Ready')].status", finds: ['True'] },
    { path: '.status.conditions[?(@.type!="Ready")].status', finds: ['False'] },
    { path: '.status.conditions[?(@.count==3)].type', finds: ['Ready'] },
    { path: '.status.conditions[?(@.nothing)].type', finds: [] },
    { path: '.status.conditions[*].type', finds: ['Other', 'Ready'] },
  ])('$path', ({ path, finds }) => {
    expect(find(path)).toEqual(finds);
  });

  test.each(['spec.size', '.spec..size', '.spec[', '.a[?(@.b>1)]'])(
    '%s is not understood',
    (path) => {
      expect(find(path)).toBeUndefined();
    },
  );
});
