import { isList, type Path } from '../value.ts';
import type { Revision } from './revision.ts';

const spellings = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Custom',
  'Windows2019',
  'Windows2022',
  'Windows2025',
];

/** Families whose recommended image an alias can name. */
const aliased: ReadonlySet<string> = new Set(spellings.filter((name) => name !== 'Custom'));

export interface FamilyDefaults {
  /** What an absent family meant in that version; undefined where it had to be given. */
  readonly family?: 'AL2' | undefined;
}

/** Brings `amiFamily` and `amiSelectorTerms` to what v1 asks: an alias, or a family and terms. */
export function reviseFamily(revision: Revision, spec: Path, defaults: FamilyDefaults): void {
  const at = [...spec, 'amiFamily'];
  const terms = revision.at(...spec, 'amiSelectorTerms');
  const hasTerms = isList(terms) && terms.length > 0;
  const written = revision.at(...at);
  if (written === undefined) {
    if (!hasTerms) reviseAbsent(revision, spec, defaults);
    return;
  }
  const family = typeof written === 'string' ? written : '';
  if (family.toLowerCase() === 'ubuntu') {
    reviseUbuntu(revision, spec, hasTerms);
    return;
  }
  const known = spellings.find((name) => name.toLowerCase() === family.toLowerCase());
  if (known === undefined) {
    askForFamily(revision, at, family);
    return;
  }
  if (hasTerms) {
    respell(revision, at, known);
    return;
  }
  if (!aliased.has(known)) {
    respell(revision, at, known);
    askForTerms(revision, spec, `which images does the ${known} family boot?`);
    return;
  }
  const alias = `${known.toLowerCase()}@latest`;
  revision.change(
    {
      why: 'v1 wants to be told which images to boot; an alias names the recommended ones of a family',
      now: 'the same images are found; pin a version in place of latest to decide when nodes are replaced',
    },
    terms === undefined ? { kind: 'rename', at, to: 'amiSelectorTerms' } : { kind: 'remove', at },
    { kind: 'set', at: [...spec, 'amiSelectorTerms'], value: [{ alias }] },
  );
}

function respell(revision: Revision, at: Path, family: string): void {
  if (revision.at(...at) === family) return;
  revision.change(
    { why: `v1 spells the family ${family}`, now: 'nothing; the old spelling was refused' },
    { kind: 'set', at, value: family },
  );
}

function reviseAbsent(revision: Revision, spec: Path, { family }: FamilyDefaults): void {
  if (family === undefined) {
    askForTerms(revision, spec, 'which images do nodes boot? for example [{alias: al2023@latest}]');
    return;
  }
  revision.change(
    {
      why: 'a manifest of this version that names no image meant Amazon Linux 2',
      now: 'the same images are found; Amazon Linux 2 has none from Kubernetes 1.33 on',
    },
    { kind: 'set', at: [...spec, 'amiSelectorTerms'], value: [{ alias: 'al2@latest' }] },
  );
}

/** v1 knows no Ubuntu family: its user data is that of AL2, its images come from the terms. */
function reviseUbuntu(revision: Revision, spec: Path, hasTerms: boolean): void {
  const why = 'v1 has no Ubuntu family; Ubuntu nodes start with the user data of AL2';
  const now = 'Ubuntu images are no longer found by themselves, only by amiSelectorTerms';
  revision.change({ why, now }, { kind: 'set', at: [...spec, 'amiFamily'], value: 'AL2' });
  if (!revision.has(...spec, 'blockDeviceMappings')) {
    const ebs = { encrypted: true, volumeSize: '20Gi', volumeType: 'gp3' };
    const value = [{ deviceName: '/dev/sda1', rootVolume: true, ebs }];
    revision.change(
      {
        why: 'the Ubuntu family gave its nodes this root volume',
        now: 'the same volume, written out',
      },
      { kind: 'set', at: [...spec, 'blockDeviceMappings'], value },
    );
  }
  if (!hasTerms)
    askForTerms(
      revision,
      spec,
      'which Ubuntu images do nodes boot? give an id, a name or an SSM parameter',
    );
}

function askForTerms(revision: Revision, spec: Path, question: string): void {
  revision.ask([...spec, 'amiSelectorTerms'], question, {
    why: 'v1 wants amiSelectorTerms, and the old manifest does not say which images they are',
    now: 'the API server refuses it until it is answered',
  });
}

function askForFamily(revision: Revision, at: Path, family: string): void {
  const choice = spellings.filter(
    (name) => family !== '' && name.toLowerCase().startsWith(family.toLowerCase()),
  );
  const question = `which family is ${JSON.stringify(family)}? v1 knows ${(choice.length > 0 ? choice : spellings).join(', ')}`;
  revision.ask(at, question, {
    why: 'v1 knows no such family',
    now: 'the API server refuses it until it is answered',
  });
}
