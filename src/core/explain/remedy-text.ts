import { labels } from '../requirements/well-known.ts';
import type { Change } from './reason.ts';
import { amountWords, shortList, taintText } from './words.ts';

/** `raise the memory limit of NodePool web by 2 Gi (to 10 Gi)`; two changes are joined by `and`. */
export function remedyText(changes: readonly Change[]): string {
  return changes.map(changeText).join(' and ');
}

function changeText(change: Change): string {
  switch (change.kind) {
    case 'raise-limit':
      return limitText(change);
    case 'allow-value':
      return `allow ${valueText(change.key, change.value)} in NodePool ${change.pool}`;
    case 'define-label':
      return `give NodePool ${change.pool} the label ${change.key}=${change.value}`;
    case 'lower-min-values':
      return (
        `lower minValues of ${change.key} in NodePool ${change.pool} ` +
        `from ${change.from} to ${change.to}`
      );
    case 'tolerate':
      return `let the pod tolerate ${shortList(change.taints.map(taintText), 3)}`;
    case 'lower-request':
      return (
        `lower the pod's ${change.resource} request ` +
        `from ${amountWords(change.resource, change.from)} to ${amountWords(change.resource, change.to)}`
      );
    case 'drop-label-rule':
      return `drop the pod's rule on the node label ${change.key}`;
    case 'raise-skew':
      return (
        `raise maxSkew of the pod's spread over ${labelWord(change.key)} ` +
        `from ${change.from} to ${change.to}`
      );
    case 'drop-pod-rule':
      return `drop the pod's ${change.rule} over ${labelWord(change.key)}`;
    case 'drop-host-ports':
      return `give the pod another host port than ${shortList(change.ports, 3)}`;
  }
}

function limitText({ pool, limits }: Change & { readonly kind: 'raise-limit' }): string {
  const texts = limits.map(({ resource, from, to }) => ({
    resource,
    by: amountWords(resource, to - from),
    to: amountWords(resource, to),
  }));
  const [first] = texts;
  if (texts.length === 1 && first !== undefined)
    return `raise the ${first.resource} limit of NodePool ${pool} by ${first.by} (to ${first.to})`;
  const all = texts.map(({ resource, by, to }) => `${resource} by ${by} (to ${to})`);
  return `raise the limits of NodePool ${pool}: ${shortList(all, 4)}`;
}

const words: Readonly<Record<string, string>> = {
  [labels.zone]: 'zone',
  [labels.capacityType]: 'capacity type',
  [labels.arch]: 'architecture',
  [labels.instanceType]: 'instance type',
  [labels.hostname]: 'host name',
};

/** `zone` for the labels that everybody knows, the label itself for others. */
export function labelWord(key: string): string {
  return Object.hasOwn(words, key) ? (words[key] ?? key) : key;
}

function valueText(key: string, value: string): string {
  return Object.hasOwn(words, key) ? `${words[key]} ${value}` : `${key}=${value}`;
}
