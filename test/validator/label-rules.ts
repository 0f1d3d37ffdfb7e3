import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import type { Requirements } from '../../src/core/requirements/requirements.ts';
import type { ValueSet } from '../../src/core/requirements/value-set.ts';
import type { NewNode } from '../../src/core/scheduling/plan.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a node with these labels is what the requirements ask for, as Kubernetes sees it. */
export function meets(labels: Labels, wanted: Requirements): boolean {
  return [...wanted].every(([key, set]) => meetsKey(labels[key], set));
}

function meetsKey(value: string | undefined, set: ValueSet): boolean {
  if (value === undefined) return set.mayBeAbsent;
  if (set.kind === 'only') return set.values.has(value);
  if (set.values.has(value)) return false;
  if (set.min === -Infinity && set.max === Infinity) return true;
  return /^[+-]?\d+$/.test(value) && Number(value) >= set.min && Number(value) <= set.max;
}

/**
 * Whether the node that the order becomes, once bought as this type and offering, is what the
 * requirements ask for. Labels that the order leaves open are given a value that it allows.
 */
export function meetsAfterLaunch(
  node: NewNode,
  type: InstanceType,
  offering: Offering,
  wanted: Requirements,
): boolean {
  return meets({ ...labelsAfterLaunch(node, type, offering), ...grown }, wanted);
}

const grown: Labels = { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };

function labelsAfterLaunch(node: NewNode, type: InstanceType, offering: Offering): Labels {
  const labels: Record<string, string> = {};
  for (const [key, set] of node.requirements) {
    const value = someValue(set);
    if (value !== undefined && !isOfMachine(key)) labels[key] = value;
  }
  for (const [key, set] of type.requirements) {
    const value = someValue(set);
    if (value !== undefined) labels[key] = value;
  }
  labels['topology.kubernetes.io/zone'] = offering.zone;
  labels['karpenter.sh/capacity-type'] = offering.capacityType;
  return { ...labels, ...node.pool.labels };
}

function isOfMachine(key: string): boolean {
  return key.startsWith('node.kubernetes.io/') || key.startsWith('karpenter.k8s.aws/instance-');
}

function someValue(set: ValueSet): string | undefined {
  if (set.kind === 'only') return [...set.values].sort()[0];
  if (set.mayBeAbsent) return undefined;
  const from = Number.isFinite(set.min) ? set.min : Number.isFinite(set.max) ? set.max - 99 : 0;
  for (let number = from; number <= Math.min(set.max, from + 99); number++)
    if (!set.values.has(String(number))) return String(number);
  return undefined;
}
