import { CloudError, type NodeClassResolution } from '../../../ports/cloud-provider.ts';

export type StatusCondition = NodeClassResolution['conditions'][number];

/** One part of a node class: what was found, or why not. */
export type Finding<T> =
  | { readonly value: T; readonly refusal?: undefined }
  | {
      readonly value?: undefined;
      readonly refusal: { readonly reason: string; readonly message: string };
    };

export function refused(reason: string, message: string): Finding<never> {
  return { refusal: { reason, message } };
}

/** Failures that a person must repair are answers; all others are thrown. */
export async function finding<T>(find: () => Promise<T>): Promise<Finding<T>> {
  try {
    return { value: await find() };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.kind === 'throttled' || error.kind === 'unreachable') throw error;
    return refused(error.reason, error.message);
  }
}

/** A list without entries is a refusal of its own. */
export function nonEmpty<T>(
  answer: Finding<readonly T[]>,
  reason: string,
  message: string,
): Finding<readonly T[]> {
  return answer.value?.length === 0 ? refused(reason, message) : answer;
}

export function conditionOf(type: string, answer: Finding<unknown>): StatusCondition {
  if (answer.refusal === undefined) return { type, status: 'True', reason: type, message: '' };
  return { type, status: 'False', ...answer.refusal };
}
