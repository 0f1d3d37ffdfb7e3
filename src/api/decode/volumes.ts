import type { PodVolumes } from '../../core/cluster/pod.ts';
import type { Node } from '../../core/cluster/snapshot.ts';
import {
  combine,
  firstConflict,
  type Requirements,
  requirementsKey,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import { nameField } from '../../core/requirements/well-known.ts';
import type { PodObject } from '../kubernetes/core.ts';
import type {
  CsiNodeObject,
  StorageClassObject,
  VolumeClaimObject,
  VolumeObject,
} from '../kubernetes/volume.ts';
import { PodMemory } from './pod-memory.ts';
import { driverOfClass, driverOfVolume } from './volume-driver.ts';
import { placesOfClass, placesOfVolume } from './volume-places.ts';

/** Where the objects behind a pod's volumes are found, by name; undefined where there is none. */
export interface VolumeLookups {
  claim(namespace: string, name: string): VolumeClaimObject | undefined;
  volume(name: string): VolumeObject | undefined;
  storageClass(name: string): StorageClassObject | undefined;
}

/** Why the pod cannot be placed before its volumes are put right, as a sentence. */
export interface VolumeProblem {
  readonly problem: string;
}

interface Resolved {
  readonly places: readonly Requirements[];
  readonly driver?: string | undefined;
  readonly isExclusive?: boolean | undefined;
}

const noNames: readonly string[] = [];

/** The names of the claims that the pod uses, in the order of its manifest. */
export function claimNames({ metadata, spec }: PodObject): readonly string[] {
  if (spec.volumes === undefined) return noNames;
  const names: string[] = [];
  for (const { name, persistentVolumeClaim, ephemeral } of spec.volumes) {
    const own = ephemeral === undefined ? undefined : `${metadata.name}-${name}`;
    const claim = persistentVolumeClaim?.claimName ?? own;
    if (claim !== undefined && !names.includes(claim)) names.push(claim);
  }
  return names;
}

/**
 * Where the pod's persistent volumes let it go and what they attach: a bound volume holds it
 * where the volume is, an unbound one where its storage class can make it. Undefined where the
 * pod has none; a problem where a claim is missing, lost, or waits for someone else. Equal
 * alternatives, in one memory, are the same value.
 */
export function resolveVolumes(
  object: PodObject,
  lookups: VolumeLookups,
  memory: PodMemory = new PodMemory(),
): PodVolumes | VolumeProblem | undefined {
  const names = claimNames(object);
  if (names.length === 0) return undefined;
  const namespace = object.metadata.namespace ?? '';
  let alternatives: readonly Requirements[] | undefined;
  const attachments: Record<string, string[]> = {};
  const exclusive: string[] = [];
  for (const name of names) {
    const claim = lookups.claim(namespace, name);
    const resolved = isOfAnother(claim, name, object)
      ? { problem: 'was made for something else than this pod' }
      : resolveClaim(claim, lookups, memory);
    if ('problem' in resolved)
      return { problem: `persistentVolumeClaim ${namespace}/${name} ${resolved.problem}` };
    const { places, driver, isExclusive } = resolved;
    if (isExclusive === true) exclusive.push(`${namespace}/${name}`);
    alternatives = alternatives === undefined ? places : bothOf(alternatives, places, memory);
    if (driver === undefined) continue;
    attachments[driver] ??= [];
    attachments[driver].push(`${namespace}/${name}`);
  }
  if (alternatives === undefined) return undefined;
  if (alternatives.length === 0)
    return { problem: `no node can reach all of its volumes: ${names.join(', ')}` };
  return { alternatives, attachments, ...(exclusive.length === 0 ? {} : { exclusive }) };
}

/** Whether a claim that bears the name of an ephemeral volume of the pod is not the pod's. */
function isOfAnother(
  claim: VolumeClaimObject | undefined,
  name: string,
  { metadata, spec }: PodObject,
): boolean {
  const isEphemeral = spec.volumes?.some(
    (volume) => volume.ephemeral !== undefined && name === `${metadata.name}-${volume.name}`,
  );
  if (claim === undefined || isEphemeral !== true || metadata.uid === undefined) return false;
  const owners = claim.metadata.ownerReferences ?? [];
  return !owners.some(({ uid, controller }) => controller === true && uid === metadata.uid);
}

/** How many volumes the node can attach, by driver; undefined where no driver says. */
export function attachLimitsOf(object: CsiNodeObject | undefined): Node['attachLimits'] {
  const limits = (object?.spec?.drivers ?? []).flatMap(({ name, allocatable }) =>
    allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
  );
  return limits.length === 0 ? undefined : Object.fromEntries(limits);
}

function resolveClaim(
  claim: VolumeClaimObject | undefined,
  lookups: VolumeLookups,
  memory: PodMemory,
): Resolved | VolumeProblem {
  if (claim === undefined) return { problem: 'does not exist' };
  if (claim.metadata.deletionTimestamp !== undefined) return { problem: 'is being deleted' };
  if (claim.status?.phase === 'Lost') return { problem: 'has lost its volume' };
  const volumeName = claim.spec?.volumeName ?? '';
  const resolved =
    volumeName === '' ? resolveUnbound(claim, lookups) : resolveBound(claim, lookups, memory);
  const isExclusive = claim.spec?.accessModes?.includes('ReadWriteOncePod') === true;
  return isExclusive ? { ...resolved, isExclusive } : resolved;
}

const bindCompleted = 'pv.kubernetes.io/bind-completed';

function resolveBound(
  claim: VolumeClaimObject,
  lookups: VolumeLookups,
  memory: PodMemory,
): Resolved | VolumeProblem {
  const volumeName = claim.spec?.volumeName ?? '';
  const volume = lookups.volume(volumeName);
  if (volume === undefined) return { problem: `is bound to ${volumeName}, which does not exist` };
  if (volume.metadata.deletionTimestamp !== undefined)
    return { problem: `is bound to ${volumeName}, which is being deleted` };
  const isBound =
    claim.status?.phase === 'Bound' || claim.metadata.annotations?.[bindCompleted] !== undefined;
  if (!isBound) return { problem: `is not bound to ${volumeName} yet` };
  const places = placesOfVolume(volume, memory);
  if (places.length === 0)
    return { problem: `is bound to ${volumeName}, whose node affinity no node can meet` };
  return { places, driver: driverOfVolume(volume, lookups) };
}

function resolveUnbound(
  claim: VolumeClaimObject,
  lookups: VolumeLookups,
): Resolved | VolumeProblem {
  const className = claim.spec?.storageClassName ?? '';
  if (className === '') return { problem: 'is not bound and names no storage class' };
  const storageClass = lookups.storageClass(className);
  if (storageClass === undefined)
    return { problem: `names storage class ${className}, which does not exist` };
  if (storageClass.volumeBindingMode !== 'WaitForFirstConsumer')
    return {
      problem: `waits for its volume, which storage class ${className} makes before pods are placed`,
    };
  const places = placesOfClass(storageClass);
  const chosen = claim.metadata.annotations?.[selectedNode];
  return {
    places: chosen === undefined ? places : places.map((place) => combine(place, onNode(chosen))),
    driver: driverOfClass(storageClass),
  };
}

/** Set while a volume is made for a pod on that node; until it is made or given up, no other will do. */
const selectedNode = 'volume.kubernetes.io/selected-node';

function onNode(name: string): Requirements {
  return requirementsOf([{ key: nameField, operator: 'In', values: [name] }]);
}

/** All ways to be in a place of both, equal ones once. */
function bothOf(
  some: readonly Requirements[],
  others: readonly Requirements[],
  { places }: PodMemory,
): readonly Requirements[] {
  const found = new Map<string, Requirements>();
  for (const one of some) {
    for (const other of others) {
      if (firstConflict(one, other) !== undefined) continue;
      const both = combine(one, other);
      const key = requirementsKey(both);
      if (!found.has(key)) found.set(key, both);
    }
  }
  return places.of([...found.keys()], () => [...found.values()]);
}
