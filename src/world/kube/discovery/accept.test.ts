import { describe, expect, test } from 'vitest';
import { negotiate } from './accept.ts';

const table = { as: 'Table', group: 'meta.k8s.io', version: 'v1' };

describe('negotiate', () => {
  test.each([
    { accept: undefined, gives: 'plain' },
    { accept: '*/*', gives: 'plain' },
    { accept: 'application/json, */*', gives: 'plain' },
    { accept: 'application/vnd.kubernetes.protobuf,application/json', gives: 'plain' },
    { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1', gives: table },
    { accept: 'application/json ; v=v1 ; g=meta.k8s.io ; as=Table', gives: table },
    { accept: 'application/json;as=Table;g=meta.k8s.io;v=v9,application/json', gives: 'plain' },
    { accept: 'application/json;as=Table;g=meta.k8s.io;v=v9', gives: undefined },
    { accept: 'application/vnd.kubernetes.protobuf', gives: undefined },
  ])('$accept', ({ accept, gives }) => {
    expect(negotiate(accept, [table])).toEqual(gives);
  });
});
