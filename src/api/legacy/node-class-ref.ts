import { isMap, type Path } from '../value.ts';
import type { Edit } from './edit.ts';
import { nodeClassApi } from './node-class.ts';
import type { Revision } from './revision.ts';

const story = {
  why: 'v1 names the class by group, kind and name, all three required',
  now: 'nothing; group and kind can no longer change later',
};

/** Completes `nodeClassRef`: `apiVersion` becomes `group`, and what is missing is filled in. */
export function reviseNodeClassRef(revision: Revision, at: Path): void {
  const reference = revision.at(...at);
  if (reference === undefined) {
    revision.ask(at, 'which EC2NodeClass do nodes come from? write nodeClassRef', {
      why: story.why,
      now: 'the API server refuses it until it is answered',
    });
    return;
  }
  if (!isMap(reference)) return;
  const edits = [...groupEdits(revision, at), ...kindEdits(revision, at)];
  if (edits.length > 0) revision.change(story, ...edits);
}

function groupEdits(revision: Revision, at: Path): readonly Edit[] {
  const apiVersion = revision.at(...at, 'apiVersion');
  const group = [...at, 'group'];
  const hasGroup = revision.has(...group);
  if (typeof apiVersion !== 'string')
    return hasGroup ? [] : [{ kind: 'set', at: group, value: nodeClassApi.group }];
  if (hasGroup) return [{ kind: 'remove', at: [...at, 'apiVersion'] }];
  const [name = ''] = apiVersion.split('/');
  return [
    { kind: 'rename', at: [...at, 'apiVersion'], to: 'group' },
    { kind: 'set', at: group, value: name },
  ];
}

function kindEdits(revision: Revision, at: Path): readonly Edit[] {
  const kind = revision.at(...at, 'kind');
  if (kind !== undefined && kind !== 'AWSNodeTemplate') return [];
  return [{ kind: 'set', at: [...at, 'kind'], value: nodeClassApi.kind }];
}
