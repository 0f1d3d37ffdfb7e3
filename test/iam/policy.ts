import { readdirSync, readFileSync } from 'node:fs';

/** What decides whether a request is allowed, as IAM sees it. */
export interface Access {
  /** `ec2:CreateFleet` */
  readonly action: string;
  /** The condition keys of the request, `aws:RequestTag/Name` among them; several values as a list. */
  readonly keys: Readonly<Record<string, string | readonly string[]>>;
  /** Left out, the resource is not looked at. */
  readonly resource?: string | undefined;
}

interface Statement {
  readonly Sid: string;
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

const folder = new URL('../../infra/iam/', import.meta.url);

/** The statements of the shipped policies, with the names of one cluster filled in. */
export function shippedStatements(names: Readonly<Record<string, string>>): readonly Statement[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const filled = text.replace(/\$\{(\w+)\}/g, (whole, key: string) => names[key] ?? whole);
    return (JSON.parse(filled) as { Statement: Statement[] }).Statement;
  });
}

/** The names of the statements that allow it; none is a refusal. */
export function allowedBy(statements: readonly Statement[], access: Access): readonly string[] {
  return statements
    .filter(({ Action }) => Action.includes(access.action))
    .filter(({ Resource }) => access.resource === undefined || anyLike(Resource, access.resource))
    .filter((statement) => meetsConditions(statement, access))
    .map(({ Sid }) => Sid);
}

function meetsConditions({ Condition = {} }: Statement, { keys }: Access): boolean {
  return Object.entries(Condition).every(([operator, wanted]) => {
    const isMet = operators[operator];
    if (isMet === undefined) throw new Error(`a condition that is not understood: ${operator}`);
    return Object.entries(wanted).every(([key, allowed]) =>
      isMet([keys[key] ?? []].flat(), [allowed].flat()),
    );
  });
}

type Operator = (given: readonly string[], allowed: readonly string[]) => boolean;

const operators: Readonly<Record<string, Operator>> = {
  StringEquals: (given, allowed) => given.some((one) => allowed.includes(one)),
  StringLike: (given, allowed) => given.some((one) => anyLike(allowed, one)),
  StringEqualsIfExists: (given, allowed) =>
    given.length === 0 || given.some((one) => allowed.includes(one)),
  'ForAllValues:StringEquals': (given, allowed) => given.every((one) => allowed.includes(one)),
};

function anyLike(patterns: readonly string[], value: string): boolean {
  return patterns.some((pattern) => {
    const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
    return new RegExp(`^${source}$`).test(value);
  });
}
