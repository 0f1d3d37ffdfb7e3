import { podsAsked } from '../../api/manifest/workload.ts';
import { mapAt } from '../../api/value.ts';
import type { FeatureGates } from '../../controllers/feature-gates.ts';
import { shortList } from '../../core/explain/words.ts';
import type { HttpHandler } from '../../ports/http.ts';
import { apply, namespaceOf, resourceOf } from './apply.ts';
import type { Ignored, Manifest, Reading } from './manifests.ts';
import { asFound, defaultClasses, defaultPools, namespace, podOf } from './surroundings.ts';

/** A cluster that is ready for pods, and what makes them, which is not applied yet. */
export interface Stage {
  readonly workloads: readonly Manifest[];
  readonly ignored: readonly Ignored[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
}

export interface StageSettings {
  readonly clusterName: string;
  readonly featureGates: FeatureGates;
}

/** Applies all that pods find there when they come, and asks whether they would be taken. */
export async function setUp(
  reading: Reading,
  handle: HttpHandler,
  settings: StageSettings,
): Promise<Stage> {
  const problems: string[] = [];
  const ignored = [...reading.ignored];
  const known: Manifest[] = [];
  const spaces = new Set<string>();
  for (const one of definersFirst(reading.manifests)) {
    const resource = await resourceOf(handle, one);
    if (resource === undefined) {
      ignored.push({ object: `${one.where()} (${one.apiVersion})`, reason: unknownKind });
      continue;
    }
    const reason = idleReason(one, settings);
    if (reason !== undefined) ignored.push({ object: one.where(), reason });
    if (resource.isNamespaced) spaces.add(namespaceOf(one));
    if (isDefiner(one)) problems.push(...(await apply(handle, one)));
    else known.push(one);
  }
  for (const name of [...spaces].sort()) await apply(handle, namespace(name));

  const pools = defaultPools(known);
  const classes = defaultClasses([...known, ...pools], settings.clusterName);
  const workloads = known.filter(isWorkload);
  const others = known.filter((one) => !isWorkload(one));
  for (const one of [...classes, ...pools]) await apply(handle, one);
  for (const one of others) problems.push(...(await applyPart(handle, one, settings)));
  for (const one of workloads) problems.push(...(await rehearse(handle, one)));
  const notes = [...reading.notes, ...defaultNotes(pools, classes), ...assumptions(known)];
  return { workloads, ignored, notes, problems };
}

const workloadKinds = ['Pod', 'Deployment', 'ReplicaSet', 'StatefulSet', 'Job'];

function isWorkload({ kind }: Manifest): boolean {
  return workloadKinds.includes(kind);
}

function isDefiner({ kind }: Manifest): boolean {
  return kind === 'Namespace' || kind === 'CustomResourceDefinition';
}

/** What others need to be there, before whatever stands above it. */
function definersFirst(manifests: readonly Manifest[]): readonly Manifest[] {
  return [...manifests.filter(isDefiner), ...manifests.filter((one) => !isDefiner(one))];
}

async function applyPart(
  handle: HttpHandler,
  manifest: Manifest,
  { clusterName }: StageSettings,
): Promise<readonly string[]> {
  if (manifest.kind !== 'EC2NodeClass') return apply(handle, manifest);
  const problems = await apply(handle, manifest, { isDryRun: true });
  return problems.length > 0 ? problems : apply(handle, asFound(manifest, clusterName));
}

/** Where a template is refused only later, the workload would have no pods, and say nothing here. */
async function rehearse(handle: HttpHandler, manifest: Manifest): Promise<readonly string[]> {
  const problems = await apply(handle, manifest, { isDryRun: true });
  const pod = podOf(manifest);
  if (problems.length > 0 || pod === undefined) return problems;
  return apply(handle, pod, { isDryRun: true });
}

const unknownKind = 'the embedded API server does not know its kind';

/** What is kept and leads to nothing. */
function idleReason(manifest: Manifest, { featureGates }: StageSettings): string | undefined {
  const { kind } = manifest;
  if (isWorkload(manifest) && podsAsked(manifest.object) === 0) return 'it asks for no pods';
  if (kind === 'CronJob' || kind === 'ReplicationController') return 'nothing makes its pods here';
  const isOff =
    (kind === 'NodeOverlay' && !featureGates.nodeOverlay) ||
    (kind === 'CapacityBuffer' && !featureGates.capacityBuffer);
  return isOff ? `its feature gate is off (--feature-gates ${kind}=true)` : undefined;
}

function defaultNotes(pools: readonly Manifest[], classes: readonly Manifest[]): readonly string[] {
  if (pools.length > 0)
    return [`No NodePool is given: ${named(pools)} of karpenter start are used.`];
  if (classes.length === 0) return [];
  return [`EC2NodeClass ${named(classes)} is not given: that of karpenter start is used.`];
}

function assumptions(manifests: readonly Manifest[]): readonly string[] {
  const having = (...fields: readonly string[]): readonly Manifest[] =>
    manifests.filter(({ object }) => fields.some((field) => field in mapAt(object, ['spec'])));
  const classes = manifests.filter(({ kind }) => kind === 'EC2NodeClass');
  const special = having('capacityReservationSelectorTerms', 'placementGroupSelector');
  const stateful = having('volumeClaimTemplates');
  const sentences: readonly (readonly [readonly Manifest[], string])[] = [
    [classes, 'what it asks AWS for (subnets, role, images) is taken as found, in every zone'],
    [special, 'its capacity reservations and placement group are left out'],
    [stateful, 'the volumes that it makes are left out'],
  ];
  return sentences.flatMap(([list, sentence]) =>
    list.length === 0 ? [] : [`${list[0]?.kind} ${named(list)}: ${sentence}.`],
  );
}

function named(manifests: readonly Manifest[]): string {
  const names = manifests.map(({ name }) => name);
  return shortList(names, 5);
}
