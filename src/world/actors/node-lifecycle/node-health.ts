import {
  leases,
  type NodeObject,
  nodes,
  type PodObject,
  pods,
} from '../../../api/kubernetes/core.ts';
import { type Condition, conditionOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { isKubeError } from '../../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { inParallel } from '../in-parallel.ts';
import { type PodIndex, podIndex } from '../pod-index.ts';
import { createdAtMs, isReady } from '../pod-state.ts';
import type { Stage } from '../stage.ts';
import { desiredTaints } from './node-taints.ts';

/** How long a kubelet may be silent before its node counts as unreachable. */
const graceMs = 50_000;
const startupGraceMs = 60_000;
const leaseNamespace = 'kube-node-lease';

/** Watches over kubelets: silent ones make their nodes unreachable, and conditions become taints. */
export function runNodeHealth(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const loop = stage.loop('node-health', (name) => reconcile(stage, index, name));
  stage.informer(leases);
  stage.informer(nodes).onChange(({ type, object }) => {
    if (type !== 'deleted') loop.enqueue(object.metadata.name);
  });
  return loop.done;
}

async function reconcile(stage: Stage, index: PodIndex, name: string): Promise<Requeue> {
  const informer = stage.informer(nodes);
  const known = informer.get(name);
  if (known === undefined) return onChange;
  const nowMs = stage.ports.clock.nowMs();
  const silentAtMs = lastSignMs(stage, known) + graceOf(known);
  const node = nowMs >= silentAtMs ? await markUnknown(stage, known) : known;
  await writeTaints(stage, node);
  if (conditionOf(node, 'Ready')?.status !== 'True') await markPodsNotReady(stage, index, name);
  // Every renewal moves the deadline, so that one look per deadline is enough and leases stay cheap.
  return nowMs >= silentAtMs ? onChange : after(silentAtMs - nowMs);
}

function graceOf(node: NodeObject): number {
  return conditionOf(node, 'Ready') === undefined ? startupGraceMs : graceMs;
}

/** The latest sign of life: lease, heartbeat, or at least the node's creation. */
function lastSignMs(stage: Stage, node: NodeObject): number {
  const lease = stage.informer(leases).get(`${leaseNamespace}/${node.metadata.name}`);
  const renewed = Date.parse(lease?.spec?.renewTime ?? '') || 0;
  const ready = conditionOf(node, 'Ready') as Heartbeat | undefined;
  // An Unknown condition is our own writing and no sign of the kubelet.
  const beat = ready?.status === 'Unknown' ? 0 : Date.parse(ready?.lastHeartbeatTime ?? '') || 0;
  return Math.max(renewed, beat, createdAtMs(node));
}

type Heartbeat = Condition & { readonly lastHeartbeatTime?: string };

const watched = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

async function markUnknown(stage: Stage, node: NodeObject): Promise<NodeObject> {
  const now = timestamp(stage.ports.clock.nowMs());
  const former = (node.status?.conditions ?? []) as readonly Heartbeat[];
  if (watched.every((type) => conditionOf(node, type)?.status === 'Unknown')) return node;
  const unknown = watched.map((type): Heartbeat => {
    const last = former.find((condition) => condition.type === type);
    if (last?.status === 'Unknown') return last;
    return {
      ...last,
      type,
      status: 'Unknown',
      reason: last === undefined ? 'NodeStatusNeverUpdated' : 'NodeStatusUnknown',
      message:
        last === undefined
          ? 'Kubelet never posted node status.'
          : 'Kubelet stopped posting node status.',
      lastTransitionTime: now,
    };
  });
  const others = former.filter((condition) => !watched.includes(condition.type));
  const { name } = node.metadata;
  const changed = await stage.ports.kube.patch(
    nodes,
    { name },
    {
      type: 'merge',
      subresource: 'status',
      body: { status: { conditions: [...others, ...unknown] } },
    },
  );
  stage.informer(nodes).apply(changed);
  stage.ports.log.info('kubelet fell silent', { node: name });
  return changed;
}

async function writeTaints(stage: Stage, node: NodeObject): Promise<void> {
  const taints = desiredTaints(node, stage.ports.clock.nowMs());
  if (taints === node.spec?.taints || (taints.length === 0 && node.spec?.taints === undefined))
    return;
  const { name, resourceVersion } = node.metadata;
  // Others write taints too; with the version, a newer list is never overwritten by an older one.
  const changed = await stage.ports.kube.patch(
    nodes,
    { name },
    {
      type: 'merge',
      body: { metadata: { resourceVersion }, spec: { taints } },
    },
  );
  stage.informer(nodes).apply(changed);
}

/** Services and budgets must not count on pods whose node does not answer. */
async function markPodsNotReady(stage: Stage, index: PodIndex, nodeName: string): Promise<void> {
  const now = timestamp(stage.ports.clock.nowMs());
  await inParallel(index.onNode(nodeName).filter(isReady), 16, async (pod: PodObject) => {
    const conditions = (pod.status?.conditions ?? []).map((condition) =>
      condition.type === 'Ready'
        ? { ...condition, status: 'False', lastTransitionTime: now }
        : condition,
    );
    const { name, namespace } = pod.metadata;
    try {
      const body = { metadata: { uid: pod.metadata.uid }, status: { conditions } };
      const patch = { type: 'merge', subresource: 'status', body } as const;
      index.informer.apply(await stage.ports.kube.patch(pods, { name, namespace }, patch));
    } catch (error) {
      if (!isKubeError(error, 'not-found', 'conflict')) throw error;
    }
  });
}
