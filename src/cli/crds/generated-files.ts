import { stringify } from 'yaml';
import { type CustomResourceDefinition, customResourceDefinitions } from '../../api/crds.ts';
import { fieldPage } from '../../api/schema/field-page.ts';

/** A file that is made from the definitions and kept in the repository. */
export interface GeneratedFile {
  readonly name: string;
  readonly text: string;
}

/** One definition as YAML, written out in full so that every tool can read it. */
export function definitionYaml(definition: CustomResourceDefinition): string {
  return stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The templates of the chart `karpenter-crd`. */
export function chartTemplates(): readonly GeneratedFile[] {
  return customResourceDefinitions().map((definition) => {
    const { group, names } = definition.spec as { group: string; names: { plural: string } };
    return { name: `${group}_${names.plural}.yaml`, text: templateOf(definition) };
  });
}

/** The pages about the fields of each kind, and the page that lists them. */
export function fieldPages(): readonly GeneratedFile[] {
  const pages = customResourceDefinitions().map((definition) => ({
    kind: (definition.spec as { names: { kind: string } }).names.kind,
    ...fieldPage(definition),
  }));
  const links = pages.map(({ kind, file }) => `- [${kind}](${file})`);
  const index = ['# The fields of every kind', '', ...links, ''].join('\n');
  return [
    { name: 'README.md', text: index },
    ...pages.map(({ file, text }) => ({ name: file, text })),
  ];
}

const annotations = `  {{- with .Values.additionalAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
`;

function templateOf(definition: CustomResourceDefinition): string {
  const yaml = definitionYaml(definition);
  // Helm would read this as its own language.
  if (yaml.includes('{{')) throw new Error(`${definition.metadata.name} holds {{`);
  return yaml.replace(/^metadata:\n/m, `metadata:\n${annotations}`);
}
