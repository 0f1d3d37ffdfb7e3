import type { NodeClaim } from './node-claim.ts';

/** On a claim: with which others its machine is bought. Written before the purchase, and never again. */
export const launchGroupAnnotation = 'karpenter.sh/launch-group';

/** A claim's place among claims that ask for the same and are bought in one request. */
export interface LaunchGroup {
  readonly id: string;
  /** From 0; decides which of the machines is the claim's. */
  readonly index: number;
  readonly size: number;
}

/** The claim's group; undefined for a claim that is bought alone. */
export function launchGroupOf(claim: NodeClaim): LaunchGroup | undefined {
  const text = claim.metadata.annotations?.[launchGroupAnnotation] ?? '';
  const [, id, index, size] = /^([\w-]+)\/(\d+)\/(\d+)$/.exec(text) ?? [];
  if (id === undefined || Number(index) >= Number(size)) return undefined;
  return { id, index: Number(index), size: Number(size) };
}

export function launchGroupText({ id, index, size }: LaunchGroup): string {
  return `${id}/${index}/${size}`;
}
