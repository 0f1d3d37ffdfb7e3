import { timestamp } from '../../../api/timestamp.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import { hasTrueCondition, withCondition } from '../condition.ts';
import { readObject } from '../decode/body.ts';
import { type ApiObject, numberAt, objectAt, textAt } from '../json.ts';
import { checkPreconditions, type DeleteOptions, deleteObject } from '../objects/delete.ts';
import { getObject, keyOfObject, ruleWorld, type ServerState } from '../objects/state.ts';
import { matchesLabels, selectorOf } from '../selector/label-selector.ts';
import { badRequest, StatusError } from '../status/status.ts';
import { checkBudget, spendBudget } from './budget.ts';
import { type Call, isDryRun, objectName } from './call.ts';
import { success } from './respond.ts';
import { optionsOf } from './write.ts';

/** Answers POST of an Eviction: deletes the pod if its disruption budget allows. */
export function evictPod(state: ServerState, call: Call): HttpResponse {
  const { value: eviction } = readObject(call.request);
  if ((textAt(eviction, 'metadata', 'name') ?? call.name) !== call.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  const given = optionsOf(eviction.deleteOptions);
  const options = { ...given, isDryRun: given.isDryRun || isDryRun(call.query) };
  const pod = getObject(state, call.kind, objectName(call));
  if (!ignoresBudgets(pod)) spendBudgetOf(state, pod, options);
  removePod(state, call, { pod, options });
  return success(201);
}

/** A pod that does nothing, or that is leaving already, disrupts nobody. */
function ignoresBudgets(pod: ApiObject): boolean {
  const phase = textAt(pod, 'status', 'phase') ?? '';
  const isIdle = ['Succeeded', 'Failed', 'Pending'].includes(phase);
  return isIdle || pod.metadata.deletionTimestamp !== undefined;
}

function spendBudgetOf(state: ServerState, pod: ApiObject, options: DeleteOptions): void {
  const [budget, ...others] = budgetsOf(state, pod);
  if (budget === undefined) return;
  if (others.length > 0) {
    throw new StatusError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  if (!hasTrueCondition(pod, 'Ready') && allowsUnhealthy(budget)) return;
  checkBudget(budget);
  if (!options.isDryRun) spendBudget(state, budget, pod.metadata.name);
}

function budgetsOf(state: ServerState, pod: ApiObject): readonly ApiObject[] {
  return ruleWorld(state)
    .list('poddisruptionbudgets.policy')
    .filter((budget) => {
      const selector = selectorOf(objectAt(budget, 'spec').selector);
      const isHere = budget.metadata.namespace === pod.metadata.namespace;
      return isHere && selector !== undefined && matchesLabels(selector, pod.metadata.labels);
    });
}

/** A pod that is not ready takes nothing away from an application that is healthy anyway. */
function allowsUnhealthy(budget: ApiObject): boolean {
  if (textAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const healthy = numberAt(budget, 'status', 'currentHealthy') ?? 0;
  const desired = numberAt(budget, 'status', 'desiredHealthy') ?? 0;
  return healthy >= desired && desired > 0;
}

function removePod(
  state: ServerState,
  call: Call,
  { pod, options }: { readonly pod: ApiObject; readonly options: DeleteOptions },
): void {
  checkPreconditions(call.kind, pod, options);
  if (!options.isDryRun && !isDisrupted(pod)) {
    state.store.put('pods', keyOfObject(pod), disrupted(state, pod));
  }
  const checked = { ...options, uid: undefined, resourceVersion: undefined };
  deleteObject(state, { kind: call.kind, name: objectName(call), options: checked });
}

function isDisrupted(pod: ApiObject): boolean {
  return hasTrueCondition(pod, 'DisruptionTarget');
}

function disrupted(state: ServerState, pod: ApiObject): ApiObject {
  return withCondition(pod, {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(state.clock.nowMs()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  });
}
