import type { Resources } from '../quantity/resources.ts';
import { type Requirements, requirementsKey } from '../requirements/requirements.ts';
import type { HostPort, NodePreference, Toleration } from './pod.ts';

/** What is asked for, sorted by name. Nearly all pods ask for these three, which need no sorting. */
export function requestsText(requests: Resources): string {
  for (const name in requests)
    if (name !== 'cpu' && name !== 'memory' && name !== 'pods') return sortedText(requests);
  const { cpu = 0, memory = 0, pods = 0 } = requests;
  return `${amountText('cpu', cpu)}${amountText('memory', memory)}${amountText('pods', pods)}`;
}

function sortedText(requests: Resources): string {
  let text = '';
  for (const name of Object.keys(requests).sort()) text += amountText(name, requests[name] ?? 0);
  return text;
}

function amountText(name: string, amount: number): string {
  return amount === 0 ? '' : `,${name}=${amount}`;
}

/** Equal for the same ports, in whatever order. */
export function portsText(ports: readonly HostPort[]): string {
  return ports
    .map(({ ip, port, protocol }) => `${protocol}:${ip}:${port}`)
    .sort()
    .join();
}

export function faultsText(faults: readonly string[]): string {
  return faults.map((fault) => `!${fault}`).join('');
}

/** Equal for the same tolerations, in whatever order. */
export function tolerationsText(tolerations: readonly Toleration[]): string {
  return tolerations
    .map(({ key = '', operator = '', value = '', effect = '' }) =>
      [key, operator, value, effect].join(' '),
    )
    .sort()
    .join();
}

/** Each alternative with the mark in front. */
export function alternativesText(mark: string): (list: readonly Requirements[]) => string {
  return (list) => list.map((wanted) => `${mark}${requirementsKey(wanted)}`).join('');
}

export function preferencesText(preferences: readonly NodePreference[]): string {
  return preferences
    .map(({ weight, requirements }) => `~${weight} ${requirementsKey(requirements)}`)
    .join('');
}
