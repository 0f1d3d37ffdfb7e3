import type { Kind } from '../kinds.ts';
import { accessRules, bindingRules } from './access.ts';
import { cronJobRules, jobRules } from './batch.ts';
import { namespaceRules, nodeRules, priorityClassRules } from './cluster.ts';
import { configMapRules, secretRules } from './configuration.ts';
import { definitionRules } from './definition.ts';
import { disruptionBudgetRules } from './disruption-budget.ts';
import { ingressRules, networkPolicyRules } from './network.ts';
import { podRules } from './pod.ts';
import type { KindRules } from './rules.ts';
import { serviceRules } from './service.ts';
import {
  attachmentRules,
  driverRules,
  storageClassRules,
  volumeClaimRules,
  volumeRules,
} from './storage.ts';
import {
  daemonSetRules,
  deploymentRules,
  replicaSetRules,
  replicationControllerRules,
  statefulSetRules,
} from './workload.ts';

const generationRules: KindRules = { hasGeneration: true };
const leaseRules: KindRules = { needsVersion: true };

const byStorage: Readonly<Record<string, KindRules>> = {
  pods: podRules,
  services: serviceRules,
  namespaces: namespaceRules,
  nodes: nodeRules,
  secrets: secretRules,
  configmaps: configMapRules,
  persistentvolumes: volumeRules,
  persistentvolumeclaims: volumeClaimRules,
  replicationcontrollers: replicationControllerRules,
  'deployments.apps': deploymentRules,
  'replicasets.apps': replicaSetRules,
  'daemonsets.apps': daemonSetRules,
  'statefulsets.apps': statefulSetRules,
  'jobs.batch': jobRules,
  'cronjobs.batch': cronJobRules,
  'poddisruptionbudgets.policy': disruptionBudgetRules,
  'leases.coordination.k8s.io': leaseRules,
  'priorityclasses.scheduling.k8s.io': priorityClassRules,
  'storageclasses.storage.k8s.io': storageClassRules,
  'csidrivers.storage.k8s.io': driverRules,
  'volumeattachments.storage.k8s.io': attachmentRules,
  'networkpolicies.networking.k8s.io': networkPolicyRules,
  'ingresses.networking.k8s.io': ingressRules,
  'endpointslices.discovery.k8s.io': generationRules,
  'customresourcedefinitions.apiextensions.k8s.io': definitionRules,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': generationRules,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': generationRules,
  'roles.rbac.authorization.k8s.io': accessRules,
  'clusterroles.rbac.authorization.k8s.io': accessRules,
  'rolebindings.rbac.authorization.k8s.io': bindingRules,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingRules,
};

const plain: KindRules = {};
const custom: KindRules = { hasGeneration: true, needsVersion: true };

export function rulesOf(kind: Kind): KindRules {
  return kind.isCustom ? custom : (byStorage[kind.storage] ?? plain);
}
