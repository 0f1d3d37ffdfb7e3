/** What `parseQuantity` answers for text that is not a Kubernetes quantity. */
export interface InvalidQuantity {
  readonly kind: 'invalid-quantity';
  readonly text: string;
}

const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;

const binaryExponent: Readonly<Record<string, number>> = {
  Ki: 10,
  Mi: 20,
  Gi: 30,
  Ti: 40,
  Pi: 50,
  Ei: 60,
};
const decimalExponent: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};

/**
 * The quantity as an integer count of `unit`s (1 for bytes and devices, 0.001 for CPU), rounded
 * away from zero as the kube-scheduler rounds. Exact: computed in integers, never in floats.
 */
export function parseQuantity(
  text: string | number,
  scale: 'units' | 'thousandths',
): number | InvalidQuantity {
  const quick = quickly(text, scale);
  if (quick !== undefined) return quick;
  const match = pattern.exec(String(text).trim());
  if (match === null) return { kind: 'invalid-quantity', text: String(text) };
  const [, sign, digits = '', binary, decimal, exponent] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  let power = (scale === 'thousandths' ? 3 : 0) - fraction.length;
  if (decimal !== undefined) power += decimalExponent[decimal] ?? 0;
  if (exponent !== undefined) power += Number(exponent);
  if (Math.abs(power) > 60) return { kind: 'invalid-quantity', text: String(text) };
  let numerator = BigInt(whole + fraction || '0');
  if (binary !== undefined) numerator <<= BigInt(binaryExponent[binary] ?? 0);
  const magnitude =
    power >= 0 ? numerator * 10n ** BigInt(power) : ceilDivide(numerator, 10n ** BigInt(-power));
  const value = Number(magnitude);
  if (!Number.isSafeInteger(value))
    return sign === '-' ? -Number.MAX_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
  return sign === '-' && value !== 0 ? -value : value;
}

/** Few enough digits that no product of theirs leaves the range of exact integers. */
const mostQuickDigits = 5;

/** What nearly all manifests write, such as `250m`, `2` or `512Mi`; undefined for all else. */
function quickly(text: string | number, scale: 'units' | 'thousandths'): number | undefined {
  if (typeof text !== 'string') return undefined;
  let digits = 0;
  let count = 0;
  for (; digits < text.length && digits <= mostQuickDigits; digits++) {
    const digit = text.charCodeAt(digits) - 48;
    if (digit < 0 || digit > 9) break;
    count = count * 10 + digit;
  }
  if (digits === 0 || digits > mostQuickDigits) return undefined;
  const perUnit = scale === 'thousandths' ? 1_000 : 1;
  switch (text.length === digits ? '' : text.slice(digits)) {
    case '':
      return count * perUnit;
    case 'm':
      return scale === 'thousandths' ? count : Math.ceil(count / 1_000);
    case 'Ki':
      return count * 2 ** 10 * perUnit;
    case 'Mi':
      return count * 2 ** 20 * perUnit;
    case 'Gi':
      return scale === 'units' ? count * 2 ** 30 : undefined;
    default:
      return undefined;
  }
}

/** Parses one named resource amount: CPU in thousandths, everything else in units. */
export function parseAmount(resource: string, text: string | number): number | InvalidQuantity {
  return parseQuantity(text, resource === 'cpu' ? 'thousandths' : 'units');
}

/** The amount as Kubernetes writes it: `1930m`, `6903Mi`, `29`. */
export function formatAmount(resource: string, amount: number): string {
  if (resource === 'cpu') return amount % 1000 === 0 ? String(amount / 1000) : `${amount}m`;
  if (!isBytes(resource) || amount === 0) return String(amount);
  for (const [suffix, size] of binarySizes) {
    if (amount % size === 0) return `${amount / size}${suffix}`;
  }
  return String(amount);
}

const binarySizes: readonly (readonly [string, number])[] = [
  ['Ti', 2 ** 40],
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
];

function isBytes(resource: string): boolean {
  return resource === 'memory' || resource.endsWith('storage') || resource.startsWith('hugepages-');
}

function ceilDivide(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
