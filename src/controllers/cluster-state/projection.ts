import type {
  Container,
  NodeObject,
  PodObject,
  PodSpec,
  ServiceObject,
} from '../../api/kubernetes/core.ts';
import { nominationOwners } from '../../api/kubernetes/nomination.ts';
import type { Condition, KubeObject, ObjectMeta } from '../../api/resource.ts';
import { SharedValues } from './shared-values.ts';

/** Texts beyond this length are other tools' memory, such as the last applied manifest. */
const longestAnnotation = 256;

/** What is kept of pods: what decides about them. Equal specs and labels are kept once. */
export function createPodProjection(): (object: PodObject) => PodObject {
  const shared = new SharedValues();
  return ({ apiVersion, kind, metadata, spec, status }) => ({
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: { ...metadataOf(metadata, shared), ...nominatorOf(metadata, status) },
    spec: specOf(spec, shared),
    ...(status === undefined ? {} : { status: statusOf(status, shared) }),
  });
}

/** What is kept of nodes: all but the images they hold and who wrote which field. */
export function projectNode(object: NodeObject): NodeObject {
  const { images: _, ...status } = { images: undefined, ...object.status };
  return { ...withoutFieldOwners(object), status };
}

/** What is kept of Services: which pods they select. */
export function projectService(object: ServiceObject): ServiceObject {
  const { name, namespace, uid, resourceVersion } = object.metadata;
  const selector = object.spec?.selector;
  return {
    metadata: present({ name, namespace, uid, resourceVersion }),
    ...(selector === undefined ? {} : { spec: { selector } }),
  };
}

/** Who wrote which field is half of many an object, and nobody here asks. */
export function withoutFieldOwners<T extends KubeObject>(object: T): T {
  const { managedFields: _, ...metadata } = { managedFields: undefined, ...object.metadata };
  return { ...object, metadata };
}

/** Of who wrote which field one thing is asked: whether a nomination is ours. */
function nominatorOf(
  metadata: ObjectMeta,
  status: PodStatus | undefined,
): Pick<ObjectMeta, 'managedFields'> {
  if ((status?.nominatedNodeName ?? '') === '') return {};
  const managedFields = nominationOwners(metadata);
  return managedFields.length === 0 ? {} : { managedFields };
}

function metadataOf(metadata: ObjectMeta, shared: SharedValues): ObjectMeta {
  const {
    managedFields: _,
    labels,
    annotations,
    ownerReferences,
    ...rest
  } = {
    managedFields: undefined,
    ...metadata,
  };
  const kept = Object.entries(annotations ?? {}).filter(
    ([, text]) => text.length <= longestAnnotation,
  );
  return {
    ...rest,
    ...(labels === undefined ? {} : { labels: shared.of(labels) }),
    ...(kept.length === 0 ? {} : { annotations: shared.of(Object.fromEntries(kept)) }),
    ...(ownerReferences === undefined ? {} : { ownerReferences: shared.of(ownerReferences) }),
  };
}

/** The names that pods of one workload differ in are not part of what is shared. */
function specOf(spec: PodSpec, shared: SharedValues): PodSpec {
  const {
    nodeName,
    hostname: _,
    volumes,
    containers,
    initContainers,
    ...rest
  } = {
    hostname: undefined,
    ...spec,
  };
  const claimed = (volumes ?? []).filter(
    (volume) => volume.persistentVolumeClaim !== undefined || volume.ephemeral !== undefined,
  );
  const common = shared.of({
    ...rest,
    containers: containers.map(containerOf),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(containerOf) }),
  });
  return {
    ...common,
    ...(claimed.length === 0 ? {} : { volumes: claimed }),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

function containerOf({ name, restartPolicy, resources, ports }: Container): Container {
  const ofHost = (ports ?? []).filter((port) => (port.hostPort ?? 0) > 0);
  return {
    name,
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    ...(resources === undefined ? {} : { resources }),
    ...(ofHost.length === 0 ? {} : { ports: ofHost }),
  };
}

type PodStatus = NonNullable<PodObject['status']>;

function statusOf(status: PodStatus, shared: SharedValues): PodStatus {
  const { phase, nominatedNodeName, startTime, reason, resources, allocatedResources } = status;
  const reports = (list: PodStatus['containerStatuses']): PodStatus['containerStatuses'] =>
    shared.of(
      (list ?? [])
        .filter((report) => report.resources !== undefined)
        .map(({ name, resources: held, allocatedResources: granted }) =>
          present({ name, resources: held, allocatedResources: granted }),
        ),
    );
  return present({
    phase,
    nominatedNodeName,
    startTime,
    reason,
    resources,
    allocatedResources,
    conditions: status.conditions?.filter(({ type }) => !steps.has(type)).map(conditionOf),
    containerStatuses: reports(status.containerStatuses),
    initContainerStatuses: reports(status.initContainerStatuses),
  });
}

/** Steps on the way to `Ready`, which says all that is asked. */
const steps: ReadonlySet<string> = new Set([
  'PodReadyToStartContainers',
  'Initialized',
  'ContainersReady',
]);

function conditionOf({ type, status, reason, lastTransitionTime }: Condition): Condition {
  return present({ type, status, reason, lastTransitionTime });
}

/** The object without the fields that have no value. */
function present<T extends object>(object: T): PresentOf<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as PresentOf<T>;
}

type PresentOf<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};
