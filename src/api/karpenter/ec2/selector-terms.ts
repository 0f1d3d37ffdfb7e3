import {
  described,
  list,
  map,
  object,
  oneOf,
  optional,
  ruled,
  text,
} from '../../schema/vocabulary.ts';

/** Terms by which an EC2NodeClass finds what exists in the account. Images: see ami-terms.ts. */

export const selectorTags = described(
  'Tags that must all be there; the value `*` asks only that the tag exists.',
  ruled(map(text(), { maxProperties: 20 }), {
    rule: "self.all(k, k != '' && self[k] != '')",
    message: 'a tag needs a key and a value',
  }),
);

const subnetTerm = object({
  tags: optional(selectorTags),
  id: optional(described('The id of one subnet.', text({ pattern: 'subnet-[0-9a-z]+' }))),
});

export const subnetSelectorTerms = ruled(
  described(
    'Where machines get their network; a subnet is used when any term matches it.',
    list(subnetTerm, { maxItems: 30 }),
  ),
  { rule: 'self.size() != 0', message: 'at least one subnet selector term is needed' },
  {
    rule: 'self.all(x, has(x.tags) || has(x.id))',
    message: "every subnet selector term needs 'tags' or 'id'",
  },
  {
    rule: '!self.all(x, has(x.id) && has(x.tags))',
    message: "a subnet selector term with 'id' can have no 'tags'",
  },
);

const securityGroupTerm = object({
  tags: optional(selectorTags),
  id: optional(described('The id of one security group.', text({ pattern: 'sg-[0-9a-z]+' }))),
  name: optional(described('The name of the group (not its Name tag); `*` and `?` match.', text())),
});

export const securityGroupSelectorTerms = ruled(
  described(
    'Which security groups the network interfaces of machines have; all groups that any term matches.',
    list(securityGroupTerm, { maxItems: 30 }),
  ),
  { rule: 'self.size() != 0', message: 'at least one security group selector term is needed' },
  {
    rule: 'self.all(x, has(x.tags) || has(x.id) || has(x.name))',
    message: "every security group selector term needs 'tags', 'id' or 'name'",
  },
  {
    rule: '!self.all(x, has(x.id) && (has(x.tags) || has(x.name)))',
    message: "a security group selector term with 'id' can have no 'tags' and no 'name'",
  },
  {
    rule: '!self.all(x, has(x.name) && (has(x.tags) || has(x.id)))',
    message: "a security group selector term with 'name' can have no 'tags' and no 'id'",
  },
);

const capacityReservationTerm = object({
  tags: optional(selectorTags),
  id: optional(
    described('The id of one capacity reservation.', text({ pattern: '^cr-[0-9a-z]+$' })),
  ),
  ownerID: optional(
    described('The account that owns the reservation.', text({ pattern: '^[0-9]{12}$' })),
  ),
  instanceMatchCriteria: optional(
    described(
      'Only reservations that any matching instance uses (`open`), or only those that are asked for (`targeted`).',
      oneOf(['open', 'targeted']),
    ),
  ),
});

export const capacityReservationSelectorTerms = ruled(
  described(
    'Which capacity reservations machines may use; one is used when any term matches it.',
    list(capacityReservationTerm, { maxItems: 30 }),
  ),
  {
    rule: 'self.all(x, has(x.tags) || has(x.id) || has(x.instanceMatchCriteria))',
    message:
      "every capacity reservation selector term needs 'tags', 'id' or 'instanceMatchCriteria'",
  },
  {
    rule: '!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) || has(x.instanceMatchCriteria)))',
    message: "a capacity reservation selector term with 'id' can have nothing else",
  },
);

export const placementGroupSelector = ruled(
  described(
    'The placement group that machines are started in.',
    object({
      name: optional(described('Its name.', text({ minLength: 1 }))),
      id: optional(described('Its id.', text({ pattern: '^pg-[0-9a-z]+$' }))),
    }),
  ),
  {
    rule: 'has(self.name) || has(self.id)',
    message: "a placement group selector needs 'name' or 'id'",
  },
  {
    rule: '!(has(self.name) && has(self.id))',
    message: "a placement group selector can have 'name' or 'id', not both",
  },
);
