import * as cluster from './cluster.ts';
import { type ColumnRule, createdAtColumn, nameColumn } from './column.ts';
import * as network from './network.ts';
import { nodeColumns } from './node.ts';
import { podColumns } from './pod.ts';
import * as storage from './storage.ts';
import * as workload from './workload.ts';

/** The columns of a built-in kind; name and creation time for those that have none of their own. */
export function builtInColumns(group: string, plural: string): readonly ColumnRule[] {
  return columns.get(group === '' ? plural : `${plural}.${group}`) ?? nameAndCreation;
}

const nameAndCreation: readonly ColumnRule[] = [nameColumn, createdAtColumn];

const columns: ReadonlyMap<string, readonly ColumnRule[]> = new Map([
  ['configmaps', cluster.configMapColumns],
  ['endpoints', network.endpointsColumns],
  ['events', cluster.eventColumns],
  ['namespaces', cluster.namespaceColumns],
  ['nodes', nodeColumns],
  ['persistentvolumeclaims', storage.persistentVolumeClaimColumns],
  ['persistentvolumes', storage.persistentVolumeColumns],
  ['pods', podColumns],
  ['podtemplates', workload.podTemplateColumns],
  ['replicationcontrollers', workload.replicationControllerColumns],
  ['resourcequotas', cluster.resourceQuotaColumns],
  ['secrets', cluster.secretColumns],
  ['serviceaccounts', cluster.nameAndAge],
  ['services', network.serviceColumns],
  ['mutatingwebhookconfigurations.admissionregistration.k8s.io', cluster.webhookColumns],
  ['validatingwebhookconfigurations.admissionregistration.k8s.io', cluster.webhookColumns],
  ['controllerrevisions.apps', workload.controllerRevisionColumns],
  ['daemonsets.apps', workload.daemonSetColumns],
  ['deployments.apps', workload.deploymentColumns],
  ['replicasets.apps', workload.replicaSetColumns],
  ['statefulsets.apps', workload.statefulSetColumns],
  ['cronjobs.batch', workload.cronJobColumns],
  ['jobs.batch', workload.jobColumns],
  ['leases.coordination.k8s.io', cluster.leaseColumns],
  ['endpointslices.discovery.k8s.io', network.endpointSliceColumns],
  ['events.events.k8s.io', cluster.eventColumns],
  ['ingresses.networking.k8s.io', network.ingressColumns],
  ['networkpolicies.networking.k8s.io', network.networkPolicyColumns],
  ['runtimeclasses.node.k8s.io', cluster.runtimeClassColumns],
  ['poddisruptionbudgets.policy', cluster.podDisruptionBudgetColumns],
  ['clusterrolebindings.rbac.authorization.k8s.io', cluster.roleBindingColumns],
  ['rolebindings.rbac.authorization.k8s.io', cluster.roleBindingColumns],
  ['priorityclasses.scheduling.k8s.io', cluster.priorityClassColumns],
  ['csidrivers.storage.k8s.io', storage.csiDriverColumns],
  ['csinodes.storage.k8s.io', storage.csiNodeColumns],
  ['storageclasses.storage.k8s.io', storage.storageClassColumns],
  ['volumeattachments.storage.k8s.io', storage.volumeAttachmentColumns],
]);
