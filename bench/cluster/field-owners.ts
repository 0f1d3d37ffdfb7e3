/** What a FieldsV1 says: under every name or key that of the part, and nothing under a leaf. */
interface Fields {
  readonly [part: string]: Fields;
}

/** Lists of a pod whose items are owned one by one, and by what an item is known. */
const itemKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  volumes: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  ownerReferences: ['uid'],
  conditions: ['type'],
};

/** Objects that are owned as a whole, as all other lists are. */
const whole = new Set([
  'nodeSelector',
  'labelSelector',
  'requiredDuringSchedulingIgnoredDuringExecution',
  'ownerReferences[]',
]);

/** An empty pod has these already, so that whoever fills them owns only what is in them. */
const alwaysThere = new Set(['', 'metadata', 'spec', 'status', 'containers']);

/**
 * The fields that somebody owns who wrote this part of a pod where nothing was before, as the API
 * server notes them down in `managedFields`.
 */
export function fieldsOf(value: unknown, name = ''): Fields {
  const parts = partsOf(value, name);
  if (parts.length === 0) return {};
  const self = alwaysThere.has(name) ? {} : { '.': {} };
  return { ...self, ...Object.fromEntries(parts) };
}

function partsOf(value: unknown, name: string): readonly (readonly [string, Fields])[] {
  if (typeof value !== 'object' || value === null || whole.has(name)) return [];
  if (!Array.isArray(value))
    return Object.entries(value).map(([key, part]) => [`f:${key}`, fieldsOf(part, key)]);
  const keys = itemKeys[name] ?? [];
  if (keys.length === 0) return [];
  return (value as readonly Readonly<Record<string, unknown>>[]).map((item) => [
    `k:${JSON.stringify(Object.fromEntries(keys.map((key) => [key, item[key]])))}`,
    fieldsOf(item, `${name}[]`),
  ]);
}
