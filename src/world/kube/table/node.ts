import { type Json, listAt, objectAt, valueAt } from '../json.ts';
import { orElse, wordAt } from './cell-value.ts';
import { ageColumn, type ColumnRule, nameColumn, text, wide } from './column.ts';

export const nodeColumns: readonly ColumnRule[] = [
  nameColumn,
  text('Status', 'Readiness, and whether new pods are kept away.', statusCell),
  text('Roles', 'Roles from the node-role labels.', rolesCell),
  ageColumn,
  text('Version', 'Version of the kubelet.', (node) => info(node, 'kubeletVersion')),
  wide(text('Internal-IP', 'Address inside the network.', (node) => address(node, 'InternalIP'))),
  wide(text('External-IP', 'Address outside the network.', (node) => address(node, 'ExternalIP'))),
  wide(text('OS-Image', 'Operating system.', (node) => orElse(info(node, 'osImage'), '<unknown>'))),
  wide(text('Kernel-Version', 'Kernel and processor architecture.', kernelCell)),
  wide(
    text('Container-Runtime', 'Container runtime and its version.', (node) =>
      orElse(info(node, 'containerRuntimeVersion'), '<unknown>'),
    ),
  ),
];

function statusCell(node: Json | undefined): string {
  const ready = listAt(node, 'status', 'conditions').find(
    (condition) => wordAt(condition, 'type') === 'Ready',
  );
  const readiness =
    ready === undefined ? 'Unknown' : wordAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true
    ? `${readiness},SchedulingDisabled`
    : readiness;
}

const rolePrefix = 'node-role.kubernetes.io/';

function rolesCell(node: Json | undefined): string {
  const roles = Object.entries(objectAt(node, 'metadata', 'labels')).map(([key, value]) => {
    if (key.startsWith(rolePrefix)) return key.slice(rolePrefix.length);
    return key === 'kubernetes.io/role' ? String(value) : '';
  });
  const distinct = [...new Set(roles)].filter((role) => role !== '').sort();
  return orElse(distinct.join(','), '<none>');
}

function kernelCell(node: Json | undefined): string {
  const kernel = orElse(info(node, 'kernelVersion'), '<unknown>');
  const architecture = info(node, 'architecture');
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

function address(node: Json | undefined, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((each) => wordAt(each, 'type') === type);
  return found === undefined ? '<none>' : wordAt(found, 'address');
}

function info(node: Json | undefined, field: string): string {
  return wordAt(node, 'status', 'nodeInfo', field);
}
