import { type ApiObject, textAt, valueAt } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { badRequest } from '../status/status.ts';

export interface FieldRequirement {
  readonly path: string;
  readonly isEqual: boolean;
  readonly value: string;
}

export type FieldSelector = readonly FieldRequirement[];

/** Fields that may be selected beside name and namespace, by storage. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  secrets: ['type'],
  services: ['spec.clusterIP', 'spec.type'],
  replicationcontrollers: ['status.replicas'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
};

/** Reads `a=b,c!=d` and refuses fields that the kind does not let select, in the server's words. */
export function parseFieldSelector(kind: Kind, text: string): FieldSelector {
  const terms = text.split(',').filter((term) => term !== '');
  return terms.map((term) => requirementOf(kind, term));
}

function requirementOf(kind: Kind, term: string): FieldRequirement {
  const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, name = '', operator, value = ''] = match;
  const path = canonicalPath(kind, name);
  if (!isSelectable(kind, path)) throw badRequest(refusal(kind, name));
  return { path, isEqual: operator !== '!=', value: value.replaceAll(/\\(.)/g, '$1') };
}

/** The newer Event kind has other names for some of the fields. */
function canonicalPath(kind: Kind, name: string): string {
  if (kind.group !== 'events.k8s.io') return name;
  if (name.startsWith('regarding.')) return name.replace('regarding.', 'involvedObject.');
  return name === 'reportingController' ? 'reportingComponent' : name;
}

function isSelectable(kind: Kind, path: string): boolean {
  if (path === 'metadata.name' || path === 'metadata.namespace') return true;
  return (kind.selectableFields ?? selectable[kind.storage] ?? []).includes(path);
}

function refusal(kind: Kind, name: string): string {
  const hasOwnWords = kind.isCustom || selectable[kind.storage] === undefined;
  if (kind.isCustom) return `field label not supported: ${name}`;
  if (hasOwnWords) {
    return `"${name}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  return `field label not supported: ${name}`;
}

export function matchesFields(selector: FieldSelector, object: ApiObject): boolean {
  return selector.every(
    ({ path, isEqual, value }) => (fieldText(object, path) === value) === isEqual,
  );
}

function fieldText(object: ApiObject, path: string): string {
  if (path === 'source') {
    return textAt(object, 'source', 'component') || textAt(object, 'reportingComponent') || '';
  }
  if (path === 'status.podIPs') return textAt(object, 'status', 'podIP') ?? '';
  if (path === 'status.successful') return String(valueAt(object, 'status', 'succeeded') ?? 0);
  const value = valueAt(object, ...path.split('.'));
  if (path === 'spec.unschedulable' || path === 'spec.hostNetwork') return String(value === true);
  if (path === 'status.replicas') return String(value ?? 0);
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
