/**
 * Amounts of resources, by resource name, as exact integers: `cpu` in thousandths of a core,
 * everything else in whole units (bytes, pods, devices). A missing name means none.
 */
export type Resources = Readonly<Record<string, number>>;

export const noResources: Resources = Object.freeze({});

/** The sum, name by name. */
export function add(a: Resources, b: Resources): Resources {
  const sum: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}

/** `a` less `b`, name by name; a result may be negative. */
export function subtract(a: Resources, b: Resources): Resources {
  const rest: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) rest[name] = (rest[name] ?? 0) - amount;
  return rest;
}

/** The larger amount of each name. */
export function largest(a: Resources, b: Resources): Resources {
  const most: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) most[name] = Math.max(most[name] ?? 0, amount);
  return most;
}

/** The smaller amount of each name that both have. */
export function smallest(a: Resources, b: Resources): Resources {
  const common = Object.entries(a).filter(([name]) => b[name] !== undefined);
  return Object.fromEntries(common.map(([name, amount]) => [name, Math.min(amount, b[name] ?? 0)]));
}

/** Whether every requested amount is available. Asking for none of a resource always fits. */
export function fits(requested: Resources, available: Resources): boolean {
  return firstShortage(requested, available) === undefined;
}

/** The first resource, by name, of which more is requested than available. */
export function firstShortage(requested: Resources, available: Resources): string | undefined {
  let shortest: string | undefined;
  for (const [name, amount] of Object.entries(requested)) {
    if (amount <= (available[name] ?? 0) || amount === 0) continue;
    if (shortest === undefined || name < shortest) shortest = name;
  }
  return shortest;
}
