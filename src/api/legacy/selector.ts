import { isMap, type Path, type Value, type ValueMap } from '../value.ts';
import type { Revision } from './revision.ts';

/** The old selector maps and the lists of terms that took their place. */
const selectors = [
  { old: 'subnetSelector', terms: 'subnetSelectorTerms', things: 'subnets' },
  { old: 'securityGroupSelector', terms: 'securityGroupSelectorTerms', things: 'security groups' },
  { old: 'amiSelector', terms: 'amiSelectorTerms', things: 'images' },
] as const;

/** Turns `subnetSelector`, `securityGroupSelector` and `amiSelector` into lists of terms. */
export function reviseSelectors(revision: Revision, spec: Path): void {
  for (const { old, terms, things } of selectors) {
    const before = revision.at(...spec, old);
    if (before === undefined) continue;
    const at = [...spec, old];
    if (revision.has(...spec, terms)) {
      const why = `${terms} stands beside it and is what v1 reads`;
      revision.change(
        { why, now: `${things} are chosen by ${terms} alone` },
        { kind: 'remove', at },
      );
      continue;
    }
    if (!isMap(before)) {
      revision.ask(at, `which ${things} are meant? write ${terms} by hand`, {
        why: `${old} was a map of tags and this is none`,
        now: 'nothing is chosen until it is answered',
      });
      continue;
    }
    reviseSelector(revision, { at, terms, things, before });
  }
}

interface Selector {
  readonly at: Path;
  readonly terms: string;
  readonly things: string;
  readonly before: ValueMap;
}

function reviseSelector(revision: Revision, { at, terms, things, before }: Selector): void {
  const rename = { kind: 'rename', at, to: terms } as const;
  const place = [...at.slice(0, -1), terms];
  const story = {
    why: `v1 chooses ${things} by a list of terms, not by a map`,
    now: `the same ${things} are chosen; a second term would add more of them`,
  };
  if (isPlain(before)) {
    revision.change(story, rename, { kind: 'wrap', at: place, key: 'tags' });
    return;
  }
  const made = termsOf(before);
  if (typeof made === 'string') {
    revision.ask(at, `${made}; write ${terms} by hand`, {
      ...story,
      now: 'nothing is chosen until it is answered',
    });
    return;
  }
  const value: Value = made;
  revision.change(
    { ...story, why: `${story.why}; ids, names, owners and each value of a list are terms` },
    rename,
    { kind: 'set', at: place, value },
  );
}

const specialKeys = ['aws-ids', 'aws::ids', 'aws::name', 'aws::owners'];

/** Only tags with one value each: the map can stay whole, comments included. */
function isPlain(selector: ValueMap): boolean {
  const entries = Object.entries(selector);
  return (
    entries.length > 0 &&
    entries.every(
      ([key, value]) =>
        !specialKeys.includes(key) && typeof value === 'string' && !value.includes(','),
    )
  );
}

/** More terms than the CRD takes; a question then serves better than a list that is refused. */
const mostTerms = 30;

/** One term for each combination of owner, id, name and tag values, or what is wrong. */
function termsOf(selector: ValueMap): readonly ValueMap[] | string {
  const entries = Object.entries(selector);
  const odd = entries.find(([, value]) => typeof value === 'object');
  if (odd !== undefined) return `what does ${odd[0]} mean here? a tag has a text as its value`;
  let terms: readonly ValueMap[] = [{}];
  for (const [key, value] of entries) {
    const field = fieldOf(key);
    const values = String(value)
      .split(',')
      .map((text) => text.trim());
    terms = terms.flatMap((term) => values.map((text) => withField(term, field, text)));
    if (terms.length > mostTerms)
      return `which of the more than ${mostTerms} combinations are meant?`;
  }
  if (terms.some((term) => 'id' in term && Object.keys(term).length > 1))
    return 'is it the ids or the other entries? a term with an id takes nothing else';
  return terms.some((term) => Object.keys(term).length === 0) ? 'what is chosen by it?' : terms;
}

/** The field of the term that an old key became; a tag is named by its key. */
function fieldOf(key: string): Path {
  if (key === 'aws-ids' || key === 'aws::ids') return ['id'];
  if (key === 'aws::name') return ['name'];
  return key === 'aws::owners' ? ['owner'] : ['tags', key];
}

function withField(term: ValueMap, [field, tag]: Path, text: string): ValueMap {
  if (tag === undefined) return { ...term, [String(field)]: text };
  const tags = isMap(term.tags) ? term.tags : {};
  const entries = [...Object.entries(tags), [String(tag), text] as const];
  return { ...term, tags: Object.fromEntries(entries) };
}
