import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { RequirementTerm } from '../../core/requirements/requirements.ts';
import { isWellKnownLabel, labels } from '../../core/requirements/well-known.ts';

const qualifiedName =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

/** What of the NodePool cannot work though its schema allowed it, as sentences; none when sound. */
export function faultsOf(pool: NodePool): readonly string[] {
  const { template } = pool.spec;
  return [
    ...Object.entries(template.metadata?.labels ?? {}).flatMap(labelFaults),
    ...taintFaults([...(template.spec.taints ?? []), ...(template.spec.startupTaints ?? [])]),
    ...template.spec.requirements.flatMap(requirementFaults),
  ];
}

function labelFaults([key, value]: readonly [string, string]): readonly string[] {
  const faults = keyFaults(key).map((fault) => `label ${fault}`);
  if (!isLabelValue(value)) faults.push(`label ${key} has the invalid value "${value}"`);
  return faults;
}

function keyFaults(key: string): string[] {
  if (!isQualifiedName(key)) return [`"${key}" is not a qualified name`];
  if (key === labels.nodePool || key === labels.hostname) return [`${key} is restricted`];
  const [domain = ''] = key.split('/');
  const isRestricted =
    key.includes('/') && (domain === 'karpenter.sh' || domain.endsWith('.karpenter.sh'));
  return isRestricted && !isWellKnownLabel(key)
    ? [`${key} is in the restricted domain ${domain}`]
    : [];
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute', ''];

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

function taintFaults(taints: readonly Taint[]): readonly string[] {
  const seen = new Set<string>();
  return taints.flatMap((taint) => {
    const identity = `${taint.key}:${taint.effect}`;
    const isRepeated = seen.has(identity);
    seen.add(identity);
    return [...ownFaults(taint), ...(isRepeated ? [`taint ${identity} is given twice`] : [])];
  });
}

function ownFaults({ key, value = '', effect }: Taint): readonly string[] {
  return [
    ...(isQualifiedName(key) ? [] : [`taint "${key}" is not a qualified name`]),
    ...(value === '' || isQualifiedName(value)
      ? []
      : [`taint ${key} has the invalid value "${value}"`]),
    ...(effects.includes(effect) ? [] : [`taint ${key} has the unknown effect ${effect}`]),
  ];
}

/** What is wrong with a requirement on labels, as sentences. */
export function requirementFaults(term: RequirementTerm): readonly string[] {
  const { key, operator, values = [], minValues = 0 } = term;
  const faults = keyFaults(key).map((fault) => `requirement ${fault}`);
  const bad = values.find((value) => !isLabelValue(value));
  if (bad !== undefined) faults.push(`requirement ${key} has the invalid value "${bad}"`);
  if (operator === 'In' && values.length === 0) faults.push(`requirement ${key} In has no values`);
  if (operator === 'In' && values.length < minValues)
    faults.push(`requirement ${key} has fewer values than its minValues ${minValues}`);
  const isBound = ['Gt', 'Lt', 'Gte', 'Lte'].includes(operator);
  if (isBound && (values.length !== 1 || !/^\d+$/.test(values[0] ?? '')))
    faults.push(`requirement ${key} ${operator} needs exactly one number that is not negative`);
  return [...faults, ...capacityTypeFaults(term)];
}

const capacityTypes: ReadonlySet<string> = new Set(['on-demand', 'spot', 'reserved']);

function capacityTypeFaults(term: RequirementTerm): readonly string[] {
  const { key, operator, values = [], minValues = 0 } = term;
  if (key !== labels.capacityType || operator !== 'In') return [];
  const known = values.filter((value) => capacityTypes.has(value)).length;
  if (known === 0) return [`requirement ${key} names none of on-demand, spot and reserved`];
  if (known >= minValues || values.length < minValues) return [];
  return [`requirement ${key} names fewer capacity types than its minValues ${minValues}`];
}

/** `name` or `domain/name`, neither of them longer than a label may be. */
function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const isShort = text.length - slash - 1 <= 63 && slash <= 253;
  return isShort && qualifiedName.test(text);
}

function isLabelValue(value: string): boolean {
  return value.length <= 63 && labelValue.test(value);
}
