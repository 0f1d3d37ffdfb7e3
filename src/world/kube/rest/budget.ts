import { timestamp } from '../../../api/timestamp.ts';
import { withCondition } from '../condition.ts';
import { type ApiObject, listAt, numberAt, objectAt, textAt } from '../json.ts';
import { keyOfObject, type ServerState } from '../objects/state.ts';
import { forbidden, StatusError } from '../status/status.ts';

const mostDisruptedPods = 2000;

/** Throws unless the budget allows one more disruption. */
export function checkBudget(budget: ApiObject): void {
  const { name, generation = 0 } = budget.metadata;
  const status = objectAt(budget, 'status');
  const allowed = numberAt(status, 'disruptionsAllowed') ?? 0;
  if ((numberAt(status, 'observedGeneration') ?? 0) < generation) {
    const why = `The disruption budget ${name} is still being processed by the server.`;
    throw tooManyRequests(why, { retryAfterSeconds: 10 });
  }
  const resource = { group: 'policy', plural: 'poddisruptionbudget' };
  if (allowed < 0) throw forbidden(resource, name, 'pdb disruptions allowed is negative');
  if (Object.keys(objectAt(status, 'disruptedPods')).length > mostDisruptedPods) {
    const why = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';
    throw forbidden(resource, name, why);
  }
  if (allowed === 0) throw tooManyRequests(exhausted(budget), {});
}

function tooManyRequests(
  message: string,
  more: { readonly retryAfterSeconds?: number },
): StatusError {
  return new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    { causes: [{ reason: 'DisruptionBudget', message }], ...more },
  );
}

/** Why a budget allows nothing now, for people. */
function exhausted(budget: ApiObject): string {
  const { name } = budget.metadata;
  const condition = listAt(budget, 'status', 'conditions').find(
    (one) => textAt(one, 'type') === 'DisruptionAllowed' && textAt(one, 'status') === 'False',
  );
  const reason = textAt(condition, 'reason');
  const message = textAt(condition, 'message') ?? '';
  const healthy = numberAt(budget, 'status', 'currentHealthy') ?? 0;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  const start = `The disruption budget ${name}`;
  if (reason === 'SyncFailed' && message !== '') {
    return `${start} does not allow evicting pods currently because it failed sync: ${message}`;
  }
  if (healthy <= desired)
    return `${start} needs ${desired} healthy pods and has ${healthy} currently`;
  if (message !== '')
    return `${start} does not allow evicting pods currently (${reason}): ${message}`;
  return `${start} does not allow evicting pods currently`;
}

/** Takes one disruption off, until the budget's controller has seen the pod go. */
export function spendBudget(state: ServerState, budget: ApiObject, podName: string): void {
  const now = timestamp(state.clock.nowMs());
  const status = objectAt(budget, 'status');
  const left = (numberAt(status, 'disruptionsAllowed') ?? 0) - 1;
  const disruptedPods = { ...objectAt(status, 'disruptedPods'), [podName]: now };
  const spent = { ...budget, status: { ...status, disruptionsAllowed: left, disruptedPods } };
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: numberAt(status, 'observedGeneration') ?? 0,
    lastTransitionTime: now,
    reason: 'InsufficientPods',
    message: '',
  };
  const next = left === 0 ? withCondition(spent, condition) : spent;
  state.store.put('poddisruptionbudgets.policy', keyOfObject(budget), next);
}
