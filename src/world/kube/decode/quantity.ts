const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:([KMGTPE]i)|([numkMGTPE])|[eE]([+-]?\d+))?$/;
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

/**
 * The quantity as the API server writes it back (`1000m` is `1`, `1024Mi` is `1Gi`, `0.5` is
 * `500m`), or undefined when it is none. Fractions below a billionth are rounded up.
 */
export function canonicalQuantity(text: string | number): string | undefined {
  const match = pattern.exec(String(text).trim());
  if (match === null) return undefined;
  const [, sign = '', digits = '', binary, decimal, exponent] = match;
  if (exponent !== undefined && Math.abs(Number(exponent)) > 40) return undefined;
  const nano = nanoUnits({ digits, binary, decimal, exponent });
  const minus = sign === '-' && nano > 0n ? '-' : '';
  if (nano === 0n) return '0';
  // Below 1024 or not whole, a binary quantity is written in decimal, as by the original.
  const isBinary = binary !== undefined && nano % billion === 0n && nano / billion >= 1024n;
  if (isBinary) return minus + binaryText(nano / billion);
  return minus + (exponent === undefined ? decimalText(nano) : exponentText(nano));
}

/** The quantity in billionths, by which quantities compare; undefined when it is none. */
export function quantityNanos(text: string | number): bigint | undefined {
  const match = pattern.exec(String(text).trim());
  const [, sign = '', digits = '', binary, decimal, exponent] = match ?? [];
  if (match === null || Math.abs(Number(exponent ?? 0)) > 40) return undefined;
  const nano = nanoUnits({ digits, binary, decimal, exponent });
  return sign === '-' ? -nano : nano;
}

const billion = 10n ** 9n;

interface Parts {
  readonly digits: string;
  readonly binary: string | undefined;
  readonly decimal: string | undefined;
  readonly exponent: string | undefined;
}

function nanoUnits({ digits, binary, decimal, exponent }: Parts): bigint {
  const [whole = '', fraction = ''] = digits.split('.');
  let value = BigInt(whole + fraction || '0');
  let power = 9 - fraction.length + Number(exponent ?? 0);
  if (decimal !== undefined) power += 3 * (decimalSuffixes.indexOf(decimal) - 3);
  if (binary !== undefined) value <<= BigInt(10 * binarySuffixes.indexOf(binary));
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}

function binaryText(units: bigint): string {
  let value = units;
  let i = 0;
  while (i < binarySuffixes.length - 1 && value % 1024n === 0n) {
    value /= 1024n;
    i++;
  }
  return `${value}${binarySuffixes[i]}`;
}

function decimalText(nano: bigint): string {
  const { value, thousands } = thousandsOf(nano, decimalSuffixes.length - 1);
  return `${value}${decimalSuffixes[thousands]}`;
}

function exponentText(nano: bigint): string {
  const { value, thousands } = thousandsOf(nano, 100);
  const power = 3 * (thousands - 3);
  return power === 0 ? String(value) : `${value}e${power}`;
}

function thousandsOf(nano: bigint, limit: number): { value: bigint; thousands: number } {
  let value = nano;
  let thousands = 0;
  while (thousands < limit && value % 1000n === 0n) {
    value /= 1000n;
    thousands++;
  }
  return { value, thousands };
}
