import { isMap, listAt, mapAt, pathText, textAt, type Value, valueAt } from '../value.ts';
import { type Finding, finding } from './finding.ts';
import type { LintKnowledge } from './knowledge.ts';
import { oldSpellings } from './old-spelling.ts';
import { strangeFields } from './strange-field.ts';

/** Everything that can be said of an EC2NodeClass by itself, its status included where it has one. */
export function lintNodeClass(nodeClass: Value, knowledge: LintKnowledge = {}): readonly Finding[] {
  return [
    ...oldSpellings(nodeClass),
    ...strangeFields(nodeClass),
    ...oldLinux(nodeClass, knowledge),
    ...hopLimit(nodeClass),
    ...sharedTags(nodeClass),
    ...emptySelectors(nodeClass),
  ];
}

function oldLinux(nodeClass: Value, { kubernetesVersion }: LintKnowledge): readonly Finding[] {
  const [major = 0, minor = 0] = (kubernetesVersion ?? '').replace(/^v/, '').split('.').map(Number);
  if (kubernetesVersion === undefined || major < 1 || (major === 1 && minor < 33)) return [];
  const terms = listAt(nodeClass, ['spec', 'amiSelectorTerms']);
  const index = terms.findIndex((term) => textAt(term, ['alias'])?.startsWith('al2@') === true);
  if (index < 0) return [];
  return [
    finding('KTS010', {
      path: ['spec', 'amiSelectorTerms', index, 'alias'],
      sentence: `there is no Amazon Linux 2 image for Kubernetes ${major}.${minor}: the class never becomes ready`,
      fix: 'write alias: al2023@latest, and turn userData for AL2 into that of AL2023',
    }),
  ];
}

function hopLimit(nodeClass: Value): readonly Finding[] {
  const options = valueAt(nodeClass, ['spec', 'metadataOptions']);
  const path = ['spec', 'metadataOptions', 'httpPutResponseHopLimit'];
  const limit = mapAt(options, []).httpPutResponseHopLimit ?? 1;
  if (mapAt(options, []).httpEndpoint === 'disabled' || typeof limit !== 'number') return [];
  if (limit <= 1)
    return [
      finding('KTS012', {
        path,
        sentence: `with hop limit ${limit} the instance metadata answers the node alone: pods that ask it for region or credentials time out`,
        fix: 'leave it and use Pod Identity, or set httpPutResponseHopLimit: 2 where pods need it',
      }),
    ];
  return [
    finding('KTS013', {
      path,
      sentence: `with hop limit ${limit} every pod can ask the instance metadata for the credentials of the node's role`,
      fix: 'set httpPutResponseHopLimit: 1 unless pods need the instance metadata',
    }),
  ];
}

const selectors = ['subnetSelectorTerms', 'securityGroupSelectorTerms'];

/** `karpenter.sh/discovery: "true"` finds the subnets of every cluster of the account. */
function sharedTags(nodeClass: Value): readonly Finding[] {
  return selectors.flatMap((field) =>
    listAt(nodeClass, ['spec', field]).flatMap((term, index): Finding[] => {
      const tags = mapAt(term, ['tags']);
      const key = 'karpenter.sh/discovery';
      if (!['true', '*', true].includes(tags[key] as string | boolean)) return [];
      if (Object.keys(tags).length > 1) return [];
      return [
        finding('KTS014', {
          path: ['spec', field, index, 'tags', key],
          sentence: `the tag ${key}: ${String(tags[key])} does not name the cluster: with a second cluster in the account both are found`,
          fix: 'tag with the name of the cluster and select that',
        }),
      ];
    }),
  );
}

const resolved = [
  { field: 'subnetSelectorTerms', status: 'subnets', condition: 'SubnetsReady', things: 'subnet' },
  {
    field: 'securityGroupSelectorTerms',
    status: 'securityGroups',
    condition: 'SecurityGroupsReady',
    things: 'security group',
  },
  { field: 'amiSelectorTerms', status: 'amis', condition: 'AMIsReady', things: 'image' },
] as const;

/** What the status says was looked for and not found. A class that nobody has resolved says nothing. */
function emptySelectors(nodeClass: Value): readonly Finding[] {
  return resolved.flatMap(({ field, status, condition, things }): Finding[] => {
    const known = listAt(nodeClass, ['status', 'conditions']).find(
      (entry) => isMap(entry) && entry.type === condition,
    );
    const isEmpty = listAt(nodeClass, ['status', status]).length === 0;
    if (mapAt(known, []).status !== 'False' || !isEmpty) return [];
    const path = ['spec', field];
    return [
      finding('KTS011', {
        path,
        sentence: `${pathText(path)} matches no ${things}`,
        fix: `tag the ${things}s of the cluster, or select what they are tagged with; both must agree letter by letter`,
      }),
    ];
  });
}
