import { compareText } from '../../../core/text-order.ts';

const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/**
 * Sorts API versions as Kubernetes prefers them: stable before beta before alpha, the higher
 * number first, and names of any other shape last in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const left = rank(a);
  const right = rank(b);
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return compareText(a, b);
  }
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

function rank(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = pattern.exec(version);
  if (match === null) return undefined;
  const stage = match[2] === 'alpha' ? 0 : match[2] === 'beta' ? 1 : 2;
  return { stage, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}
