import { checkedObject, type Fault } from '../../../src/api/manifest/checked-object.ts';
import { podsAsked, templatePath } from '../../../src/api/manifest/workload.ts';
import { mapAt, textAt, type ValueMap } from '../../../src/api/value.ts';
import { type LabelSelector, selects } from '../../../src/core/cluster/label-selector.ts';

/** An object that has a part in the answer, without anything that a server would surely refuse. */
export interface Written {
  readonly kind: string;
  /** Empty for what is in none. */
  readonly namespace: string;
  readonly name: string;
  readonly object: ValueMap;
}

interface ReadObject {
  readonly written?: Written;
  /** What brings no pods, by its title. */
  readonly other?: string;
  readonly faults?: readonly Fault[];
}

/** More pods than these nobody means, and a page has no room for them. */
export const mostPods = 50_000;

const apiVersions: Readonly<Record<string, string>> = {
  Namespace: 'v1',
  Pod: 'v1',
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
};

export function readObject(given: ValueMap, kind: string): ReadObject {
  const name = nameOf(given);
  const apiVersion = Object.hasOwn(apiVersions, kind) ? apiVersions[kind] : undefined;
  const title = `${kind} ${name}`.trim();
  if (apiVersion === undefined) return { other: title };
  const { object, faults } = checkedObject(given, kind);
  const all =
    given.apiVersion === apiVersion
      ? [...faults, ...(faults.length > 0 ? [] : faultsBetweenFields(object, kind))]
      : [{ path: ['apiVersion'], sentence: `apiVersion must be ${apiVersion}` }];
  if (all.length > 0)
    return {
      faults: all.map(({ path, sentence }) => ({ path, sentence: `${title}: ${sentence}.` })),
    };
  const namespace = textAt(object, ['metadata', 'namespace']) ?? 'default';
  return { written: { kind, namespace: kind === 'Namespace' ? '' : namespace, name, object } };
}

/** Ends a name that the server would make up. */
const madeUp = '…';

function nameOf(object: ValueMap): string {
  const { name, generateName } = mapAt(object, ['metadata']);
  if (typeof name === 'string') return name;
  return typeof generateName === 'string' ? `${generateName}${madeUp}` : '';
}

export function hasOwnName({ name }: Written): boolean {
  return !name.endsWith(madeUp);
}

function faultsBetweenFields(object: ValueMap, kind: string): readonly Fault[] {
  if (nameOf(object) === '') return [{ path: ['metadata'], sentence: 'metadata.name is missing' }];
  const asked = podsAsked(object);
  if (asked < 0 || asked > mostPods)
    return [
      {
        path: ['spec', 'replicas'],
        sentence: `it asks for ${asked} pods; 0 to ${mostPods} will do`,
      },
    ];
  const template = templatePath(kind);
  const selector = mapAt(object, ['spec']).selector as LabelSelector | undefined;
  if (template === undefined || selector === undefined) return [];
  const { labels } = mapAt(object, [...template, 'metadata']);
  if (selects(selector, labels as Record<string, string> | undefined)) return [];
  const sentence = 'spec.selector does not select the labels of its own template';
  return [{ path: ['spec', 'selector'], sentence }];
}

/** `Deployment shop/web`. */
export function titleOf(object: Pick<Written, 'kind' | 'namespace' | 'name'>): string {
  const { kind, namespace, name } = object;
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}
