import type { Random } from '../../src/ports/random.ts';

/** Makes documents that nobody would write with good intentions, each from a seed. */
export interface HostileSource {
  /** Text that may or may not be YAML. */
  text(): string;
  /** A value that JSON can hold, shaped like an object of Kubernetes more often than not. */
  value(): unknown;
}

/** A variable of the shell, as templates hold it. */
function variable(name: string): string {
  return `$\{${name}}`.replace('\\', '');
}

const kinds = [
  ['karpenter.sh/v1', 'NodePool'],
  ['karpenter.sh/v1beta1', 'NodePool'],
  ['karpenter.sh/v1', 'NodeClaim'],
  ['karpenter.sh/v1beta1', 'NodeClaim'],
  ['karpenter.k8s.aws/v1', 'EC2NodeClass'],
  ['karpenter.k8s.aws/v1beta1', 'EC2NodeClass'],
  ['karpenter.sh/v1alpha5', 'Provisioner'],
  ['karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate'],
  ['apps/v1', 'Deployment'],
  ['v1', 'Pod'],
  ['v1', 'List'],
] as const;

const keys = [
  'spec',
  'template',
  'metadata',
  'requirements',
  'nodeClassRef',
  'disruption',
  'budgets',
  'reasons',
  'limits',
  'resources',
  'kubelet',
  'kubeletConfiguration',
  'subnetSelector',
  'securityGroupSelector',
  'amiSelector',
  'subnetSelectorTerms',
  'amiSelectorTerms',
  'amiFamily',
  'provider',
  'providerRef',
  'ttlSecondsAfterEmpty',
  'ttlSecondsUntilExpired',
  'consolidation',
  'consolidateAfter',
  'expireAfter',
  'labels',
  'annotations',
  'karpenter.sh/do-not-evict',
  'affinity',
  'taints',
  'tags',
  'metadataOptions',
  'apiVersion',
  'kind',
  'name',
  'items',
  'status',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '0',
  'a.b/c',
  '<<',
] as const;

const scalars: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  2 ** 53 + 2,
  0.1,
  '',
  'Never',
  '720h',
  '1000m',
  'WhenUnderutilized',
  'UnderutilizedGPU',
  'UBUNTU',
  'WINDOWS',
  'AL2',
  variable('X'),
  '{{ .Values.x }}',
  '__proto__',
  'a,b,,c',
  '☃\u2028',
  'x'.repeat(300),
  '- a: b',
  '# no comment',
  '---',
  '1e999999',
  'null',
  '*alias',
  '&anchor',
  '!!tag',
  "it's",
  '"',
];

export function hostileSource(random: Random): HostileSource {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;
  const chance = (share: number): boolean => random.fraction() < share;
  const count = (most: number): number => Math.floor(random.fraction() * (most + 1));

  const inner = (depth: number): unknown => {
    if (depth <= 0 || chance(0.3)) return pick(scalars);
    if (chance(0.25)) return Array.from({ length: count(3) }, () => inner(depth - 1));
    // Entries and not assignments, so that `__proto__` becomes a key of its own.
    return Object.fromEntries(
      Array.from({ length: count(4) }, () => [pick(keys), inner(depth - 1)] as const),
    );
  };

  const value = (): unknown => {
    const shape = inner(4);
    if (chance(0.15) || typeof shape !== 'object' || shape === null || Array.isArray(shape))
      return shape;
    const [apiVersion, kind] = pick(kinds);
    const name = chance(0.9) ? { name: pick(['a', 'b', variable('N')]) } : inner(2);
    const rest = chance(0.8) ? { spec: inner(4) } : {};
    const items = kind === 'List' ? { items: Array.from({ length: count(3) }, value) } : {};
    return { ...shape, apiVersion, kind, metadata: name, ...rest, ...items };
  };

  const text = (): string => {
    const base = chance(0.5) ? JSON.stringify(value(), null, count(3)) : blockText(value());
    return chance(0.5) ? base : damage(base);
  };

  const damage = (base: string): string => pick(damages)(base, () => random.fraction());
  return { text, value };
}

type Damage = (text: string, next: () => number) => string;

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]
${'bcdefghijk'
  .split('')
  .map(
    (letter, index) =>
      `${letter}: &${letter} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(', ')}]`,
  )
  .join('\n')}
`;

const damages: readonly Damage[] = [
  (text, next) => text.slice(0, Math.floor(next() * text.length)),
  (text, next) => insert(text, '\u0000', next),
  (text, next) => insert(text, '\t', next),
  (text, next) => insert(text, '\n---\n', next),
  (text, next) => insert(text, '{{', next),
  (text, next) => insert(text, '\n{{- if .x }}\n', next),
  (text, next) => insert(text, '${', next),
  (text, next) => insert(text, ' &a *a ', next),
  (text, next) => insert(text, '\n...\n%TAG ! x\n---\n', next),
  (text, next) => insert(text, '!!python/object:os.system ', next),
  (text) => `\uFEFF${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `${text}\n${text}`,
  (text) => `${bomb}${text}`,
  (text) => `x: &x {y: *x}\n${text}`,
  (text) => `base: &base {a: 1}\n<<: *base\n${text}`,
  (text, next) => '['.repeat(Math.floor(next() * 3_000)) + text,
  (text, next) => '{a: '.repeat(Math.floor(next() * 3_000)) + text,
  (text, next) => `${'- '.repeat(Math.floor(next() * 3_000))}${text}`,
  (_, next) => nested(Math.floor(next() * 400)),
  (text) => `? {complex: key}\n: value\n${text}`,
  (text) => `n: ${'9'.repeat(400)}\nm: 0x${'f'.repeat(300)}\n${text}`,
  (text) => `"\\ud800": 1\n${text}`,
  (text) => text.replaceAll('"', "'"),
  (text) => `huge: ${'y'.repeat(100_000)}\n${text}`,
];

function insert(text: string, piece: string, next: () => number): string {
  const place = Math.floor(next() * (text.length + 1));
  return text.slice(0, place) + piece + text.slice(place);
}

function nested(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}k:`).join('\n');
}

/** The value as YAML in blocks, written here so that nothing of a library decides what is hostile. */
function blockText(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return `${JSON.stringify(value)}\n`;
  const entries = Object.entries(value);
  if (entries.length === 0) return Array.isArray(value) ? '[]\n' : '{}\n';
  const lines = entries.map(([key, child]) => {
    const begin = Array.isArray(value) ? '-' : `${JSON.stringify(key)}:`;
    const isBlock = typeof child === 'object' && child !== null && Object.keys(child).length > 0;
    const note = key.length % 3 === 0 ? ` # about ${key.length}` : '';
    return isBlock
      ? `${indent}${begin}${note}\n${blockText(child, `${indent}  `)}`
      : `${indent}${begin} ${blockText(child).trimEnd()}${note}\n`;
  });
  return lines.join('');
}
