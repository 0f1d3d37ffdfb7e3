import type { CustomResourceDefinition } from './definition.ts';
import type { OpenApi } from './vocabulary.ts';

/** A page that documents one kind: every field with its type, default, rules and sentence. */
export interface FieldPage {
  /** The name of the file: `nodepool.md`. */
  readonly file: string;
  readonly text: string;
}

export function fieldPage({ spec }: CustomResourceDefinition): FieldPage {
  const { names, scope, group, versions } = spec as unknown as DefinitionSpec;
  const [version] = versions;
  if (version === undefined) throw new Error(`the definition of ${names.kind} has no version`);
  const { properties = {}, description } = version.schema.openAPIV3Schema;
  const lines = [
    `# ${names.kind}`,
    '',
    `${description}`,
    '',
    `- apiVersion: \`${group}/${version.name}\``,
    `- ${scope === 'Cluster' ? 'one for the whole cluster' : 'in a namespace'}`,
    `- kubectl knows it as ${kubectlNames(names)}`,
    '',
    'The server refuses what breaks a rule below. It is generated from `src/api` by `npm run crds`.',
    ...section('spec', properties.spec),
    ...section('status', properties.status),
  ];
  return { file: `${names.singular}.md`, text: `${lines.join('\n')}\n` };
}

interface DefinitionSpec {
  readonly group: string;
  readonly scope: string;
  readonly names: Names;
  readonly versions: readonly {
    readonly name: string;
    readonly schema: { readonly openAPIV3Schema: Field };
  }[];
}

interface Names {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
}

interface Field extends OpenApi {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
  readonly additionalProperties?: Field;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly 'x-kubernetes-validations'?: readonly { readonly message: string }[];
}

function kubectlNames({ plural, singular, shortNames = [] }: Names): string {
  return [plural, singular, ...shortNames].map((name) => `\`${name}\``).join(', ');
}

function section(name: 'spec' | 'status', field: Field | undefined): readonly string[] {
  if (field === undefined) return [];
  const rules = messagesOf(field).map((message) => `- ${message}`);
  return [
    '',
    `## ${name}`,
    '',
    ...(rules.length === 0 ? [] : [...rules, '']),
    '| Field | Type | Default | Rules | Meaning |',
    '|---|---|---|---|---|',
    ...rowsOf(field, ''),
  ];
}

function rowsOf(field: Field, path: string): readonly string[] {
  const { properties, items, additionalProperties } = field;
  if (items !== undefined) return rowsOf(items, `${path}[]`);
  if (additionalProperties !== undefined) return rowsOf(additionalProperties, `${path}.*`);
  const required = field.required ?? [];
  return Object.entries(properties ?? {}).flatMap(([name, child]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const cells = [
      `\`${at}\``,
      typeText(child),
      child.default === undefined ? '' : code(JSON.stringify(child.default)),
      [...(required.includes(name) ? ['required'] : []), ...rulesOf(child)].join('; '),
      child.description ?? '',
    ];
    return [`| ${cells.map(cell).join(' | ')} |`, ...rowsOf(child, at)];
  });
}

function typeText(field: Field): string {
  const { type, format, items, additionalProperties } = field;
  if (field['x-kubernetes-int-or-string'] === true) return 'quantity';
  if (items !== undefined) return `list of ${typeText(items)}`;
  if (additionalProperties !== undefined) return `map of ${typeText(additionalProperties)}`;
  return typeof format === 'string' ? format : (type ?? 'any');
}

/** What limits a value, and its entries where they have no row of their own. */
function rulesOf(field: Field): readonly string[] {
  const inner = field.items ?? field.additionalProperties;
  const isLeaf = inner !== undefined && inner.properties === undefined;
  const isQuantity = inner?.['x-kubernetes-int-or-string'] === true;
  return [
    ...limitsOf(field),
    ...messagesOf(field),
    ...(isLeaf && !isQuantity ? rulesOf(inner).map((rule) => `each ${rule}`) : []),
  ];
}

const limitTexts: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  minLength: 'characters at least',
  maxLength: 'characters at most',
  minItems: 'entries at least',
  maxItems: 'entries at most',
  maxProperties: 'entries at most',
};

function limitsOf(field: Field): readonly string[] {
  const limits = Object.entries(limitTexts).filter(
    // A length says nothing about a list; it stands there because the original has it.
    ([name]) => field[name] !== undefined && !(field.type === 'array' && name.endsWith('Length')),
  );
  const hasPattern = typeof field.pattern === 'string' && field.type !== 'array';
  return [
    ...(field.enum === undefined ? [] : [`one of ${field.enum.map(code).join(', ')}`]),
    ...limits.map(([name, text]) => `${text} ${String(field[name])}`),
    ...(hasPattern ? [`matches ${code(String(field.pattern))}`] : []),
    ...(field['x-kubernetes-list-type'] === 'set' ? ['no entry twice'] : []),
    ...(field['x-kubernetes-list-type'] === 'map' ? ['one entry for each `type`'] : []),
  ];
}

function messagesOf(field: Field): readonly string[] {
  return (field['x-kubernetes-validations'] ?? []).map(({ message }) => message);
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A pipe would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
