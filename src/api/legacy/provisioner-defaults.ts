import { labels } from '../../core/requirements/well-known.ts';
import { isList, isMap, type Value } from '../value.ts';
import { completeRequirements } from './node-pool.ts';
import type { Revision } from './revision.ts';

const aws = 'karpenter.k8s.aws';
const requirements = ['spec', 'template', 'spec', 'requirements'];

/** What the old webhook added to every Provisioner that did not say otherwise. */
const defaults: readonly { readonly unless: readonly string[]; readonly add: readonly Value[] }[] =
  [
    { unless: [labels.os], add: [{ key: labels.os, operator: 'In', values: ['linux'] }] },
    { unless: [labels.arch], add: [{ key: labels.arch, operator: 'In', values: ['amd64'] }] },
    {
      unless: [labels.capacityType],
      add: [{ key: labels.capacityType, operator: 'In', values: ['on-demand'] }],
    },
    {
      unless: [
        labels.instanceType,
        `${aws}/instance-family`,
        `${aws}/instance-category`,
        `${aws}/instance-generation`,
      ],
      add: [
        { key: `${aws}/instance-category`, operator: 'In', values: ['c', 'm', 'r'] },
        { key: `${aws}/instance-generation`, operator: 'Gt', values: ['2'] },
      ],
    },
  ];

/** Writes out the requirements that a Provisioner had by default and a NodePool has not. */
export function completeDefaults(revision: Revision): void {
  const before = revision.at(...requirements);
  if (before !== undefined && !isList(before)) return;
  const keys = new Set((before ?? []).map((item) => (isMap(item) ? item.key : undefined)));
  for (const label of Object.keys(labelsOf(revision))) keys.add(label);
  const missing = defaults
    .filter(({ unless }) => !unless.some((key) => keys.has(key)))
    .flatMap(({ add }) => add);
  if (missing.length === 0) {
    completeRequirements(revision);
    return;
  }
  const first = before?.length ?? 0;
  revision.change(
    {
      why: 'a Provisioner had these requirements by default and a NodePool has none',
      now: 'nothing; take one out to let more kinds of nodes in',
    },
    ...(before === undefined
      ? [{ kind: 'set', at: requirements, value: missing } as const]
      : missing.map(
          (value, index) => ({ kind: 'set', at: [...requirements, first + index], value }) as const,
        )),
  );
}

function labelsOf(revision: Revision): object {
  const value = revision.at('spec', 'template', 'metadata', 'labels');
  return isMap(value) ? value : {};
}
