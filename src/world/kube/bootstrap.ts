import { systemPriorities } from '../../api/kubernetes/pod-admission.ts';
import type { JsonObject } from './json.ts';
import { createObject } from './objects/create.ts';
import type { ServerState } from './objects/state.ts';

const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** Puts the objects there that every cluster has from the start. */
export function bootstrap(state: ServerState): void {
  for (const name of namespaces) create(state, ['', 'v1', 'namespaces'], { name });
  create(state, priorityClasses, { name: 'system-node-critical' }, nodeCritical);
  create(state, priorityClasses, { name: 'system-cluster-critical' }, clusterCritical);
  create(state, ['', 'v1', 'services'], serverMetadata, { spec: serverSpec });
}

type Path = readonly [group: string, version: string, plural: string];

const priorityClasses: Path = ['scheduling.k8s.io', 'v1', 'priorityclasses'];

const nodeCritical = {
  value: systemPriorities['system-node-critical'],
  description: 'Used for system critical pods that must not be moved from their current node.',
};

const clusterCritical = {
  value: systemPriorities['system-cluster-critical'],
  description:
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
};

const serverMetadata = {
  name: 'kubernetes',
  namespace: 'default',
  labels: { component: 'apiserver', provider: 'kubernetes' },
};

const serverSpec = {
  clusterIP: '10.96.0.1',
  type: 'ClusterIP',
  ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
};

function create(
  state: ServerState,
  path: Path,
  metadata: { readonly name: string },
  fields: JsonObject = {},
): void {
  const kind = state.kinds.find(...path);
  if (kind === undefined) throw new Error(`seeding the cluster: no kind ${path.join('/')}`);
  createObject(state, {
    kind,
    object: { ...fields, metadata },
    options: { isDryRun: false, fieldManager: 'kube-apiserver', subresource: '' },
  });
}
