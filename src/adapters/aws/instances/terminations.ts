import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { codeOf, isNotFound } from '../calls/errors.ts';
import type { AwsContext } from '../context.ts';

/** What became of one machine that was to end. */
export type Ending = 'gone' | 'terminating' | { readonly error: unknown };

/**
 * Ends machines in one call. Where EC2 refuses it, each is asked for by itself: a machine that is
 * unknown, protected or not ours to end spoils the whole call, and the others must not wait for it.
 */
export async function terminateAll(
  context: AwsContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Ending>> {
  if (ids.length === 1) return oneByOne(context, ids);
  try {
    return await terminate(context, ids);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return oneByOne(context, ids);
  }
}

/** Codes that are about whoever asks, and so the same for every machine. */
const aboutUs = /^(ExpiredToken|InvalidClientTokenId|UnrecognizedClient|Signature|Credentials)/;

function isRefusal(error: unknown): boolean {
  if (!(error instanceof CloudError) || ['throttled', 'unreachable'].includes(error.kind))
    return false;
  return !aboutUs.test(codeOf(error) ?? '');
}

async function oneByOne(
  context: AwsContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Ending>> {
  const endings = await Promise.all(
    ids.map(async (id): Promise<[string, Ending]> => [id, await terminateOne(context, id)]),
  );
  return new Map(endings);
}

async function terminateOne(context: AwsContext, id: string): Promise<Ending> {
  try {
    return (await terminate(context, [id])).get(id) ?? 'terminating';
  } catch (error) {
    return isNotFound(error) ? 'gone' : { error };
  }
}

async function terminate(
  context: AwsContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Ending>> {
  const command = new TerminateInstancesCommand({ InstanceIds: [...ids] });
  const answer = await context.caller.call(
    {
      service: 'ec2',
      action: 'TerminateInstances',
      priority: 'terminate',
      doing: `terminating ${ids.join(', ')}`,
      otherwise: 'TerminationFailed',
    },
    (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
  );
  return new Map(
    (answer.TerminatingInstances ?? []).map((change) => [
      change.InstanceId ?? '',
      change.CurrentState?.Name === 'terminated' ? 'gone' : 'terminating',
    ]),
  );
}
