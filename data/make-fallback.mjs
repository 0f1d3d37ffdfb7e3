// Writes data/aws-fallback.json: what the controller knows of EC2 when it cannot ask. On-demand
// prices by region, for the time before the Pricing API has answered and where it cannot be
// reached; and the baseline bandwidth of every type, which EC2's API does not tell in these words.
//   node data/make-fallback.mjs          writes the file
//   node data/make-fallback.mjs --check  fails if the file is not what would be written
import { readFileSync, writeFileSync } from 'node:fs';

const from = new URL('ec2-catalog.json', import.meta.url);
const to = new URL('aws-fallback.json', import.meta.url);

/** Unknown is 0 throughout: no price and no bandwidth is zero, and it is the shortest to write. */
export function fallbackOf(catalog) {
  const { types, regions, sources } = catalog;
  const order = types.name.map((_, row) => row).sort((a, b) => (types.name[a] < types.name[b] ? -1 : 1));
  const onDemand = {};
  for (const region of [...regions].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const price = new Map(region.type.map((row, index) => [row, region.onDemand[index] ?? 0]));
    if (region.name === 'us-east-1') {
      for (const [row, usd] of catalog.tables.dedicatedMetal) {
        if (types.bareMetal[row] === 1) price.set(row, price.get(row) || usd);
      }
    }
    onDemand[region.name] = order.map((row) => price.get(row) ?? 0);
  }
  return {
    schema: 1,
    asOf: sources.onDemand.date,
    types: order.map((row) => types.name[row]),
    networkMbps: order.map((row) => types.karpenterNetMbps[row] ?? 0),
    onDemand,
  };
}

/** One line for each list, so that a change of prices is a change of one line. */
export function fallbackText(fallback) {
  const regions = Object.entries(fallback.onDemand).map(
    ([name, prices]) => `  ${JSON.stringify(name)}: [${prices.join(',')}]`,
  );
  return [
    '{',
    `"schema": ${fallback.schema},`,
    `"asOf": ${JSON.stringify(fallback.asOf)},`,
    `"types": ${JSON.stringify(fallback.types)},`,
    `"networkMbps": ${JSON.stringify(fallback.networkMbps)},`,
    '"onDemand": {',
    regions.join(',\n'),
    '}',
    '}',
    '',
  ].join('\n');
}

if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split('/').at(-1))) {
  const text = fallbackText(fallbackOf(JSON.parse(readFileSync(from, 'utf8'))));
  if (process.argv.includes('--check')) {
    if (readFileSync(to, 'utf8') !== text) {
      console.error('data/aws-fallback.json is not made from data/ec2-catalog.json: run node data/make-fallback.mjs');
      process.exit(1);
    }
  } else {
    writeFileSync(to, text);
  }
}
