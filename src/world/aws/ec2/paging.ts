import { AwsError, invalidParameter } from '../wire/aws-error.ts';
import { integer, type Parameters, text } from '../wire/parameters.ts';

interface PageRules<T> {
  /** Where an item stands; items come sorted by it, and no two have the same. */
  readonly keyOf: (item: T) => string;
  readonly minimum?: number;
  readonly maximum: number;
  /** Size when the caller names none; without it, everything comes at once. */
  readonly usual?: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextToken: string | undefined;
}

/**
 * One page. The token holds the key of the last item and not a count, so that nothing is skipped
 * when items vanish between two pages.
 */
export function paged<T>(
  items: readonly T[],
  parameters: Parameters,
  rules: PageRules<T>,
): Page<T> {
  const size = pageSize(integer(parameters, 'MaxResults'), rules);
  const token = text(parameters, 'NextToken');
  const after = token === undefined || token === '' ? undefined : keyOfToken(token);
  const rest = after === undefined ? items : items.filter((item) => rules.keyOf(item) > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const nextToken =
    rest.length > page.length && last !== undefined ? tokenOfKey(rules.keyOf(last)) : undefined;
  return { items: page, nextToken };
}

function pageSize<T>(asked: number | undefined, rules: PageRules<T>): number {
  if (asked === undefined || asked === 0) return rules.usual ?? Number.POSITIVE_INFINITY;
  const minimum = rules.minimum ?? 1;
  if (asked < minimum || asked > rules.maximum) {
    throw invalidParameter(
      `Value ( ${asked} ) for parameter maxResults is invalid. Expecting a value between ${minimum} and ${rules.maximum}.`,
    );
  }
  return asked;
}

const tokenPrefix = 'page:';

export function tokenOfKey(key: string): string {
  return Buffer.from(tokenPrefix + key, 'utf8').toString('base64url');
}

export function keyOfToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString('utf8');
  if (!key.startsWith(tokenPrefix)) {
    throw new AwsError('InvalidNextToken', `The token '${token}' is not valid.`);
  }
  return key.slice(tokenPrefix.length);
}
