import { describe, expect, test } from 'vitest';
import { readManifestFile } from '../api/manifest/manifest-file.ts';
import { convertFiles } from './manifest/convert-files.ts';

function convert(...texts: readonly string[]) {
  return convertFiles(texts.map((text, index) => readManifestFile(`${index}.yaml`, text)));
}

const oldPool = `# ours
apiVersion: karpenter.sh/v1beta1
kind: NodePool
metadata: {name: a}
spec:
  template:
    spec:
      requirements: [] # any
      nodeClassRef:
        name: {{ .Values.class }} # the class
  disruption:
    # a day
    expireAfter: 24h # no more
    consolidateAfter: 1_0s
`;

describe('convert', () => {
  test('keeps comments, order and templates', () => {
    expect(convert(oldPool)[0]?.text).toBe(`# ours
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  template:
    spec:
      requirements: [] # any
      nodeClassRef:
        name: {{ .Values.class }} # the class
        group: karpenter.k8s.aws
        kind: EC2NodeClass
      expireAfter: 24h # no more
  disruption:
    # a day
    consolidateAfter: 1_0s
`);
  });

  test('leaves documents of others alone, byte for byte', () => {
    const text =
      '\uFEFFa:   1\r\n---   # next\r\nb: 0x1F\r\n...\r\n%YAML 1.1\r\n---\r\n{"c":  [1 , 2]}\r\n';
    expect(convert(text)[0]).toMatchObject({ text, isChanged: false, problems: [] });
  });

  test('converts what stands beside a document that cannot be read', () => {
    const [file] = convert(`a: [\n---\n${oldPool}`);
    expect(file?.problems).toEqual([{ file: '0.yaml', line: 2, problem: expect.any(String) }]);
    expect(file?.text).toContain('a: [\n---\n');
    expect(file?.text).toContain('karpenter.sh/v1\n');
  });

  test('converts the items of a List', () => {
    const item = { apiVersion: 'karpenter.sh/v1beta1', kind: 'NodeClaim', metadata: { name: 'c' } };
    const ref = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'base' };
    const items = [{ ...item, spec: { requirements: [], nodeClassRef: ref } }];
    const [file] = convert(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2));
    expect(JSON.parse(file?.text ?? '')).toMatchObject({
      items: [{ apiVersion: 'karpenter.sh/v1' }],
    });
  });

  test('writes anchors out when a change reaches into what they share', () => {
    const text = `base: &meta {annotations: {karpenter.sh/do-not-evict: "true"}}
apiVersion: v1
kind: Pod
metadata: *meta
`;
    const [file] = convert(text);
    expect(file?.text).toContain('do-not-disrupt');
    expect(file?.text).toContain('do-not-evict');
    expect(file?.reports.at(-1)?.what).toContain('anchors');
  });

  test('asks where lines of control flow stand', () => {
    const [file] = convert(
      oldPool.replace('  disruption:', '  {{- if .Values.calm }}\n  disruption:'),
    );
    expect(file?.text).toContain('# QUESTION(karpenter convert): do the lines of control flow');
    expect(file?.text).toContain('{{- if .Values.calm }}\n');
  });

  test('puts kubelet settings of one file into the class of another', () => {
    const kubelet = oldPool
      .replace('      nodeClassRef', '      kubelet: {maxPods: 20}\n      nodeClassRef')
      .replace('{{ .Values.class }}', 'base');
    const nodeClass = `apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: base}
spec:
  role: r
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
`;
    expect(convert(kubelet, nodeClass)[1]?.text).toBe(`${nodeClass}  kubelet:\n    maxPods: 20\n`);
  });
});
