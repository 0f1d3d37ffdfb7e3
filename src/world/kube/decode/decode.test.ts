import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { duplicateFields } from './duplicate-fields.ts';
import { decodeProtobuf } from './protobuf.ts';
import { canonicalQuantity } from './quantity.ts';

describe('a quantity is written back as', () => {
  test.each([
    { given: '1000m', written: '1' },
    { given: '0.5', written: '500m' },
    { given: 1.5, written: '1500m' },
    { given: '1024Mi', written: '1Gi' },
    { given: '1536Mi', written: '1536Mi' },
    { given: '1.5Gi', written: '1536Mi' },
    { given: '100Ki', written: '100Ki' },
    { given: '1000', written: '1k' },
    { given: '1e3', written: '1e3' },
    { given: '0', written: '0' },
    { given: '0.0000000001', written: '1n' },
    { given: '-2000m', written: '-2' },
    { given: '1Mi5', written: undefined },
    { given: 'abc', written: undefined },
  ])('$given: $written', ({ given, written }) => {
    expect(canonicalQuantity(given)).toBe(written);
  });
});

test('fields given twice are found with their paths', () => {
  const text = '{"a": {"b": 1, "b": [2]}, "c": [{"d": "}", "d": 1}], "e\\"": {}, "a": null}';
  expect(duplicateFields(text)).toEqual(['a.b', 'c[0].d', 'a']);
  expect(duplicateFields('{"a": [1, -2.5e3, true], "b": {}}')).toEqual([]);
});

describe('a body in Protocol Buffers, as kubectl sends it', () => {
  test('says the same as JSON, and a replica count of zero stays', () => {
    // kubectl create deployment web --image=nginx --replicas=0 --port=80
    const bytes =
      'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50ErgBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEoYBCAASDAoKCgNhcHASA3dlYhpsChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkwSLgoFbmdpbngSBW5naW54KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=';
    expect(decodeProtobuf(Buffer.from(bytes, 'base64'))).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }] }] },
        },
      },
    });
  });

  test.each([
    {
      command: 'create pdb b --selector=a=b --min-available=50%',
      bytes:
        'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSNgoRCgFiEgAaACIAKgAyADgAQgASFQoJCAEQABoDNTAlEggKBgoBYRIBYhoKCAAYACAAKAAwABoAIgA=',
      object: { spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } } },
    },
    {
      command: 'create secret generic s --from-literal=a=b',
      bytes: 'azhzAAoMCgJ2MRIGU2VjcmV0Eh0KEQoBcxIAGgAiACoAMgA4AEIAEgYKAWESAWIaABoAIgA=',
      object: { metadata: { name: 's' }, data: { a: 'Yg==' } },
    },
    {
      command: 'create job j --image=x -- echo hi',
      bytes:
        'azhzAAoPCghiYXRjaC92MRIDSm9iEnwKEQoBahIAGgAiACoAMgA4AEIAEl0yWwoQCgASABoAIgAqADIAOABCABJHEiQKAWoSAXgaBGVjaG8aAmhpKgBCAGoAcgCAAQCIAQCQAQCiAQAaBU5ldmVyMgBCAEoAUgBYAGAAaACCAQCKAQCaAQDCAQAaCCAAKAAwADoAGgAiAA==',
      object: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'j', image: 'x', command: ['echo', 'hi'] }],
            },
          },
        },
      },
    },
  ])('$command', ({ bytes, object }) => {
    expect(decodeProtobuf(Buffer.from(bytes, 'base64'))).toMatchObject(object);
  });

  test('anything else is refused', () => {
    expect(() => decodeProtobuf(Buffer.from('hello'))).toThrow('expected prefix');
  });
});
