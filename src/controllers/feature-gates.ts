/** What is switched on beyond the ordinary, under the names that the original knows. */
export interface FeatureGates {
  readonly nodeRepair: boolean;
  readonly reservedCapacity: boolean;
  readonly spotToSpotConsolidation: boolean;
  readonly nodeOverlay: boolean;
  readonly staticCapacity: boolean;
  readonly capacityBuffer: boolean;
}

export const defaultGates: FeatureGates = {
  nodeRepair: false,
  reservedCapacity: true,
  spotToSpotConsolidation: false,
  nodeOverlay: false,
  staticCapacity: false,
  capacityBuffer: false,
};

/**
 * Reads `NodeOverlay=true,CapacityBuffer=true`. Gates that are not named keep their default,
 * unknown ones are left for other versions; a value other than true or false is a mistake.
 */
export function parseFeatureGates(text: string): FeatureGates {
  const gates = new Map<string, boolean>(Object.entries(defaultGates));
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((piece) => piece.trim());
    if (name === '') continue;
    if (value !== 'true' && value !== 'false')
      throw new Error(`reading feature gates: ${name} is neither true nor false, but "${value}"`);
    const own = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    if (gates.has(own)) gates.set(own, value === 'true');
  }
  return { ...defaultGates, ...Object.fromEntries(gates) };
}
