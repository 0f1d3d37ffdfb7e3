import type { NodeClaim } from './node-claim.ts';

/** On a claim: for which pods it was ordered. Written with the order, and never again. */
export const plannedPodsAnnotation = 'karpenter.sh/planned-pods';

/** The uids of the pods that the claim was ordered for; undefined where nobody wrote them down. */
export function plannedPodsOf({ metadata }: NodeClaim): readonly string[] | undefined {
  return metadata.annotations?.[plannedPodsAnnotation]?.split(',');
}

export function plannedPodsText(uids: readonly string[]): string {
  return uids.join(',');
}

/** What of a claim's annotations is about its machine, and not about who waits for it. */
export function annotationsOfMachine({
  metadata,
}: NodeClaim): Readonly<Record<string, string>> | undefined {
  if (metadata.annotations?.[plannedPodsAnnotation] === undefined) return metadata.annotations;
  const { [plannedPodsAnnotation]: _, ...others } = metadata.annotations;
  return others;
}
