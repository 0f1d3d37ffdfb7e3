import { sameConditions } from '../../api/conditions.ts';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import { conditionOf } from '../../api/resource.ts';
import { nodeClassReady, nodeClassRefused } from '../../core/explain/lifecycle.ts';
import { finalizers } from '../../core/requirements/well-known.ts';
import type { NodeClassResolution } from '../../ports/cloud-provider.ts';
import { after, onChange, type Requeue } from '../../runtime/reconcile.ts';
import type { Context } from '../context.ts';
import { patchLocked } from '../writes.ts';
import { conditionsOf } from './class-conditions.ts';
import { stampNodeClass } from './hash.ts';

const refreshMs = 60_000;
const waitForClaimsMs = 600_000;

/**
 * Keeps an EC2NodeClass resolved: what its selectors find now stands in its status, and its
 * conditions say what is missing. Once deleted it is released, but not before its last claim.
 */
export async function reconcileNodeClass(context: Context, name: string): Promise<Requeue> {
  const found = context.informers.nodeClasses.get(name);
  if (found === undefined) return onChange;
  const nodeClass = withSpec(found);
  if (nodeClass.metadata.deletionTimestamp !== undefined) return release(context, nodeClass);
  const kept = withSpec(await withFinalizer(context, nodeClass));
  const held = withSpec(await stampNodeClass(context, kept));
  const resolution = await context.ports.cloud.resolve(held);
  await writeStatus(context, held, resolution);
  return after(refreshMs);
}

/** The API server lets a class without a spec pass; it selects nothing, and its conditions say so. */
function withSpec(nodeClass: EC2NodeClass): EC2NodeClass {
  const nothing = {
    subnetSelectorTerms: [],
    securityGroupSelectorTerms: [],
    amiSelectorTerms: [],
    amiFamily: 'Custom',
  } as const;
  // The type trusts the schema, which lets this one field be missing.
  const spec: EC2NodeClass['spec'] | undefined = nodeClass.spec;
  return spec === undefined ? { ...nodeClass, spec: nothing } : nodeClass;
}

async function withFinalizer(
  { ports, informers }: Context,
  nodeClass: EC2NodeClass,
): Promise<EC2NodeClass> {
  const present = nodeClass.metadata.finalizers ?? [];
  if (present.includes(finalizers.nodeClass)) return nodeClass;
  return patchLocked(
    { kube: ports.kube, informer: informers.nodeClasses, object: nodeClass },
    { metadata: { finalizers: [...present, finalizers.nodeClass] } },
  );
}

async function writeStatus(
  context: Context,
  nodeClass: EC2NodeClass,
  resolution: NodeClassResolution,
): Promise<void> {
  const { ports, informers } = context;
  const { conditions: before = [], ...present } = nodeClass.status ?? {};
  const conditions = conditionsOf(nodeClass, resolution, ports.clock.nowMs());
  const isSame =
    sameConditions(before, conditions) && sorted(present) === sorted(resolution.status);
  if (isSame) return;
  // What is no longer resolved must not stay: a merge patch removes only what is named as null.
  const gone = Object.keys(present).filter((field) => !Object.hasOwn(resolution.status, field));
  const cleared = Object.fromEntries(gone.map((field) => [field, null]));
  const written = await patchLocked(
    { kube: ports.kube, informer: informers.nodeClasses, object: nodeClass },
    { status: { ...cleared, ...resolution.status, conditions } },
    'status',
  );
  tell(context, nodeClass, written);
}

/** Once per change: when it becomes ready, and whenever what keeps it from that is another. */
function tell({ ports }: Context, before: EC2NodeClass, after: EC2NodeClass): void {
  const [was, is] = [conditionOf(before, 'Ready'), conditionOf(after, 'Ready')];
  const { name } = after.metadata;
  if (is?.status === 'True' && was?.status !== 'True') ports.decisions.record(nodeClassReady(name));
  if (is?.status !== 'False') return;
  const fault = faultOf(after);
  if (sorted(faultOf(before)) === sorted(fault)) return;
  const decision = nodeClassRefused({ name, ...fault });
  const { reason } = fault;
  ports.events.publish({ about: after, type: 'Warning', reason, message: decision.sentence });
  ports.decisions.record(decision);
}

function faultOf(nodeClass: EC2NodeClass): { readonly reason: string; readonly message: string } {
  const faults = (nodeClass.status?.conditions ?? []).filter(
    ({ type, status }) => status === 'False' && type !== 'Ready',
  );
  return {
    reason: faults[0]?.reason ?? 'NotReady',
    message: faults.map(({ type, message = '' }) => `${type}: ${message}`).join('; '),
  };
}

async function release(context: Context, nodeClass: EC2NodeClass): Promise<Requeue> {
  const { ports, informers } = context;
  const present = nodeClass.metadata.finalizers ?? [];
  if (!present.includes(finalizers.nodeClass)) return onChange;
  const claims = informers.nodeClaims.by('node-class', nodeClass.metadata.name);
  if (claims.length > 0) {
    ports.events.publish({
      about: nodeClass,
      type: 'Normal',
      reason: 'WaitingOnNodeClaimTermination',
      message: `Waiting for ${claims.length} NodeClaims to be gone, first ${claims[0]?.metadata.name}.`,
    });
    return after(waitForClaimsMs);
  }
  await ports.cloud.release(nodeClass);
  await patchLocked(
    { kube: ports.kube, informer: informers.nodeClasses, object: nodeClass },
    { metadata: { finalizers: present.filter((f) => f !== finalizers.nodeClass) } },
  );
  return onChange;
}

/** The value as text that does not depend on the order of its fields. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
