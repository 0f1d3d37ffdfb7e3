import { readFileSync } from 'node:fs';

/** What is known of EC2 without asking it. See `data/README.md`. */
export interface FallbackData {
  /** The day the prices are of. */
  readonly asOf: string;
  /** On-demand USD per hour by type. A region that the table does not have gets us-east-1's. */
  onDemand(region: string): ReadonlyMap<string, number>;
  hasRegion(region: string): boolean;
  /** Baseline bandwidth in Mbit/s: `none` for types known to state none, undefined for unknown types. */
  networkMbps(instanceType: string): number | 'none' | undefined;
}

interface FallbackFile {
  readonly schema: number;
  readonly asOf: string;
  readonly types: readonly string[];
  readonly networkMbps: readonly number[];
  readonly onDemand: Readonly<Record<string, readonly number[]>>;
}

let loaded: FallbackData | undefined;

/** The table that ships with the project. The file is read when first needed, and once. */
export function fallbackData(): FallbackData {
  loaded ??= readFallback(
    readFileSync(new URL('../../../../data/aws-fallback.json', import.meta.url), 'utf8'),
  );
  return loaded;
}

/** Throws when the table is of another schema. */
export function readFallback(text: string): FallbackData {
  const file = JSON.parse(text) as FallbackFile;
  if (file.schema !== 1) throw new Error(`reading the fallback table: schema ${file.schema}`);
  const mbps = new Map(
    file.types.map((name, row): [string, number | 'none'] => [
      name,
      file.networkMbps[row] || 'none',
    ]),
  );
  const byRegion = new Map<string, ReadonlyMap<string, number>>();
  const hasRegion = (region: string): boolean => Object.hasOwn(file.onDemand, region);

  function onDemand(region: string): ReadonlyMap<string, number> {
    const known = hasRegion(region) ? region : 'us-east-1';
    const prices = byRegion.get(known) ?? pricesOf(file, known);
    byRegion.set(known, prices);
    return prices;
  }

  return { asOf: file.asOf, onDemand, hasRegion, networkMbps: (name) => mbps.get(name) };
}

/** An unknown price is written as 0. */
function pricesOf(file: FallbackFile, region: string): ReadonlyMap<string, number> {
  const column = file.onDemand[region] ?? [];
  return new Map(
    file.types.flatMap((name, row): [string, number][] => {
      const usd = column[row] ?? 0;
      return usd > 0 ? [[name, usd]] : [];
    }),
  );
}
