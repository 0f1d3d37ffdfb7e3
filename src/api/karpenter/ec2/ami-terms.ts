import {
  described,
  list,
  object,
  oneOf,
  optional,
  type Rule,
  ruled,
  text,
} from '../../schema/vocabulary.ts';
import { selectorTags } from './selector-terms.ts';

export const amiFamilies = [
  'AL2',
  'AL2023',
  'Bottlerocket',
  'Custom',
  'Windows2019',
  'Windows2022',
  'Windows2025',
] as const;

/** The families that an alias may name: all but the one that says "none of these". */
const aliasFamilies = amiFamilies.filter((family) => family !== 'Custom');
const aliasNames = quoted(aliasFamilies.map((family) => family.toLowerCase()));
const windowsNames = quoted(
  aliasFamilies.map((family) => family.toLowerCase()).filter((name) => name.startsWith('windows')),
);

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

const alias = described(
  'A family and a version of its recommended images: `al2023@latest`, `bottlerocket@v1.20.4`.',
  ruled(
    text({ maxLength: 30 }),
    {
      rule: "self.matches('^[a-zA-Z0-9]+@.+$')",
      message: "an alias has the form 'family@version'",
    },
    {
      rule: `self.split('@')[0] in [${aliasNames}]`,
      message: `the family of an alias is one of ${aliasNames}`,
    },
    {
      rule: `!(self.split('@')[0] in [${windowsNames}]) || self.split('@')[1] == 'latest'`,
      message: "of a windows family only the version 'latest' can be used",
    },
  ),
);

const amiTerm = object({
  alias: optional(alias),
  tags: optional(selectorTags),
  id: optional(described('The id of one image.', text({ pattern: 'ami-[0-9a-z]+' }))),
  name: optional(described('The name of the image; `*` and `?` match.', text())),
  owner: optional(
    described(
      'The owner of the image: an account id, `self`, `amazon` or `aws-marketplace`.',
      text(),
    ),
  ),
  ssmParameter: optional(
    described('The name or ARN of an SSM parameter that holds the id of the image.', text()),
  ),
});

export const amiSelectorTerms = ruled(
  described(
    'Which images machines boot; `alias: al2023@latest` follows the recommended one.',
    list(amiTerm, { minItems: 1, maxItems: 30 }),
  ),
  {
    rule: 'self.all(x, has(x.tags) || has(x.id) || has(x.name) || has(x.alias) || has(x.ssmParameter))',
    message: "every image selector term needs 'tags', 'id', 'name', 'alias' or 'ssmParameter'",
  },
  {
    rule: '!self.exists(x, has(x.id) && (has(x.alias) || has(x.tags) || has(x.name) || has(x.owner)))',
    message: "an image selector term with 'id' can have no 'alias', 'tags', 'name' or 'owner'",
  },
  {
    rule: '!self.exists(x, has(x.alias) && (has(x.id) || has(x.tags) || has(x.name) || has(x.owner)))',
    message: "an image selector term with 'alias' can have no 'id', 'tags', 'name' or 'owner'",
  },
  {
    rule: 'self.size() == 1 || !self.exists(x, has(x.alias))',
    message: "an image selector term with 'alias' must be the only term",
  },
);

export const amiFamily = described(
  'How user data, block devices and the kubelet are set up. Taken from the alias when there is one.',
  oneOf(amiFamilies),
);

/** Rules of the whole spec about images. */
export const amiRules: readonly Rule[] = [
  ...aliasFamilies.map(familyFitsAlias),
  {
    rule: 'has(self.amiFamily) || self.amiSelectorTerms.exists(x, has(x.alias))',
    message: "'amiFamily' is needed when no image selector term has an 'alias'",
  },
];

function familyFitsAlias(family: string): Rule {
  const uses = `self.amiSelectorTerms.exists(x, has(x.alias) && x.alias.find('^[^@]+') == '${family.toLowerCase()}')`;
  return {
    rule: `!has(self.amiFamily) || self.amiFamily in ['Custom', '${family}'] || !${uses}`,
    message: `with an alias of family '${family.toLowerCase()}', 'amiFamily' can only be '${family}' or 'Custom'`,
  };
}
