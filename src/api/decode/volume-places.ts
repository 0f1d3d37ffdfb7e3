import {
  combine,
  noRequirements,
  type Requirements,
  type RequirementTerm,
  requirementsOf,
} from '../../core/requirements/requirements.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { NodeSelectorTerm } from '../kubernetes/core.ts';
import type { StorageClassObject, VolumeObject } from '../kubernetes/volume.ts';
import type { PodMemory } from './pod-memory.ts';

/** Labels that a driver puts on nodes once it runs there, and what they will be equal to. */
const driverLabels: Readonly<Record<string, string>> = {
  'topology.ebs.csi.aws.com/zone': labels.zone,
};

const zonalLabels = [
  labels.zone,
  labels.region,
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
];

/**
 * Alternatives for the labels of a node that can reach the volume; empty where none can. The
 * host of a local volume is left out, since its data goes with the host and is made anew.
 */
export function placesOfVolume(
  volume: VolumeObject,
  { places }: PodMemory,
): readonly Requirements[] {
  const { nodeAffinity, local, hostPath } = volume.spec ?? {};
  const isLocal = local !== undefined || hostPath !== undefined;
  const written = { nodeAffinity, labels: volume.metadata.labels, isLocal };
  return places.of(written, () => decodePlaces(volume, isLocal ? isNoHost : isAny));
}

function decodePlaces(
  volume: VolumeObject,
  isKept: (expression: RequirementTerm) => boolean,
): readonly Requirements[] {
  const zone = zoneOf(volume);
  const terms = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms;
  if (terms === undefined) return [zone];
  return terms
    .filter((term) => (term.matchExpressions?.length ?? 0) > 0)
    .map((term) => combine(zone, requirementsOf(expressionsOf(term, isKept))));
}

const anywhere: readonly Requirements[] = [noRequirements];

/** Alternatives for the labels of a node that the class can make a volume for. */
export function placesOfClass(storageClass: StorageClassObject): readonly Requirements[] {
  const topologies = (storageClass.allowedTopologies ?? [])
    .map((topology) => topology.matchLabelExpressions ?? [])
    .filter((expressions) => expressions.length > 0);
  if (topologies.length === 0) return anywhere;
  return topologies.map((expressions) =>
    requirementsOf(
      expressions.map(({ key, values }) => ({
        key: nodeKey(key),
        operator: 'In' as const,
        values,
      })),
    ),
  );
}

function expressionsOf(
  term: NodeSelectorTerm,
  isKept: (expression: RequirementTerm) => boolean,
): readonly RequirementTerm[] {
  return (term.matchExpressions ?? [])
    .filter(isKept)
    .map((expression) => ({ ...expression, key: nodeKey(expression.key) }));
}

function isNoHost({ key }: RequirementTerm): boolean {
  return key !== labels.hostname;
}

function isAny(): boolean {
  return true;
}

function nodeKey(key: string): string {
  return Object.hasOwn(driverLabels, key) ? (driverLabels[key] ?? key) : key;
}

/** Older volumes tell their zones by labels, several with two underscores between them. */
function zoneOf(volume: VolumeObject): Requirements {
  const terms = zonalLabels.flatMap((key) => {
    const value = volume.metadata.labels?.[key];
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: value.split('__') }];
  });
  return terms.length === 0 ? noRequirements : requirementsOf(terms);
}
