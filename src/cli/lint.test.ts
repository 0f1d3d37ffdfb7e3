import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { findings } from '../api/lint/finding.ts';
import { readManifestFile } from '../api/manifest/manifest-file.ts';
import { type Admission, openAdmission } from './manifest/admission.ts';
import { lintFiles } from './manifest/lint-files.ts';

const manual = readFileSync(fileURLToPath(new URL('../../docs/lint.md', import.meta.url)), 'utf8');

test.each(Object.entries(findings))('the manual explains %s', (code, { severity, title }) => {
  expect(manual).toContain(`<a id="${code.toLowerCase()}"></a>\n## ${code}: ${title}`);
  expect(manual).toMatch(new RegExp(`## ${code}:.*\\n\\nSeverity: ${severity}\\.`));
});

describe('lint of files', () => {
  let admission: Admission;
  beforeAll(async () => {
    admission = await openAdmission();
  });
  const lint = async (...texts: readonly string[]) =>
    lintFiles(
      texts.map((text, index) => readManifestFile(`${index}.yaml`, text)),
      {},
      admission,
    );

  test('names file and line', async () => {
    const [found] = await lint('# first\n', `---\n${aPool('limits: {cpu: 500m}')}`);
    expect(found).toMatchObject({ file: '1.yaml', line: 13, code: 'KTS003', object: 'NodePool a' });
  });

  test('tells what the API server would say', async () => {
    const found = await lint(aPool('limits: {cpu: 5}\n  weight: 1000'));
    expect(found).toMatchObject([
      { code: 'KTS015', sentence: expect.stringContaining('spec.weight') },
    ]);
  });

  test('does not judge what a template fills in', async () => {
    const variable = ['$', '{CPU}'].join('');
    const more = `limits: {cpu: "${variable}"}
  weight: {{ .Values.weight }}`;
    expect(await lint(aPool(more))).toEqual([]);
  });

  test('reports a document that cannot be read, and reads the others', async () => {
    const found = await lint(`a: [\n---\n${aPool('limits: {cpu: 500m}')}`);
    expect(found.map(({ code }) => code)).toEqual(['KTS020', 'KTS003']);
  });
});

function aPool(more: string): string {
  return `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a}
spec:
  template:
    spec:
      requirements:
        - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: base}
  disruption:
    consolidateAfter: 1m
  ${more}
`;
}
