/**
 * The on-demand price in one entry of the price list, a JSON document. Undefined for entries
 * that have none in this currency, or that are free: those are placeholders.
 */
export function onDemandPriceOf(
  product: unknown,
  currency: string,
): { readonly instanceType: string; readonly usdPerHour: number } | undefined {
  // The SDK hands JSON documents out as String objects, not as strings.
  const isText = typeof product === 'string' || product instanceof String;
  const entry = asRecord(isText ? JSON.parse(String(product)) : product);
  const instanceType = field(field(field(entry, 'product'), 'attributes'), 'instanceType');
  if (typeof instanceType !== 'string') return undefined;
  for (const term of values(field(field(entry, 'terms'), 'OnDemand'))) {
    for (const dimension of values(field(term, 'priceDimensions'))) {
      const usdPerHour = Number(field(field(dimension, 'pricePerUnit'), currency));
      if (usdPerHour > 0) return { instanceType, usdPerHour };
    }
  }
  return undefined;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function field(value: unknown, name: string): unknown {
  return asRecord(value)[name];
}

function values(value: unknown): readonly unknown[] {
  return Object.values(asRecord(value));
}
