import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { customResourceDefinitions } from '../api/crds.ts';
import { chartTemplates, definitionYaml, fieldPages } from './crds/generated-files.ts';

const root = new URL('../../', import.meta.url);

function read(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

describe.each([
  { folder: 'charts/karpenter-crd/templates/', files: chartTemplates() },
  { folder: 'docs/api/', files: fieldPages() },
])('$folder', ({ folder, files }) => {
  test('holds the generated files and no others', () => {
    expect(readdirSync(new URL(folder, root)).sort()).toEqual(files.map(({ name }) => name).sort());
  });

  test.each(files)('$name is what `npm run crds` makes', ({ name, text }) => {
    expect(read(`${folder}${name}`)).toBe(text);
  });
});

test('the chart is versioned with the project', () => {
  const { version, appVersion } = parse(read('charts/karpenter-crd/Chart.yaml'));
  expect({ version, appVersion }).toEqual({
    version: JSON.parse(read('package.json')).version,
    appVersion: version,
  });
});

test('a definition as YAML reads back as the same definition', () => {
  for (const crd of customResourceDefinitions()) expect(parse(definitionYaml(crd))).toEqual(crd);
});

test('a template without annotations is the definition', () => {
  const withoutHelm = (text: string): string => text.replace(/^ *\{\{-.*\}\}\n/gm, '');
  const rendered = chartTemplates().map(({ text }) =>
    parse(withoutHelm(text).replace('  annotations:\n', '')),
  );
  expect(rendered).toEqual(customResourceDefinitions());
});
