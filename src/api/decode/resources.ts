import { formatAmount, parseAmount } from '../../core/quantity/quantity.ts';
import { noResources, type Resources } from '../../core/quantity/resources.ts';
import type { ResourceList } from '../kubernetes/core.ts';

/** Amounts that could be read, and one sentence for each that could not. */
export interface DecodedResources {
  readonly resources: Resources;
  readonly invalid: readonly string[];
}

/** Reads a resource list. What cannot be read is left out and named; nothing is thrown. */
export function decodeResources(list: ResourceList | undefined, where: string): DecodedResources {
  if (list === undefined) return nothing;
  const resources: Record<string, number> = {};
  let invalid: string[] | undefined;
  for (const name of Object.keys(list)) {
    const amount = parseAmount(name, list[name] ?? '');
    if (typeof amount === 'number') resources[name] = amount;
    else {
      invalid ??= [];
      invalid.push(`${where} ${name}: "${amount.text}" is not a quantity`);
    }
  }
  return { resources, invalid: invalid ?? none };
}

const none: readonly string[] = [];
const nothing: DecodedResources = { resources: noResources, invalid: none };

/** Writes amounts as Kubernetes does; what there is none of is left out. */
export function resourceListOf(resources: Resources): Readonly<Record<string, string>> {
  const amounts = Object.entries(resources).filter(([, amount]) => amount > 0);
  return Object.fromEntries(amounts.map(([name, amount]) => [name, formatAmount(name, amount)]));
}
