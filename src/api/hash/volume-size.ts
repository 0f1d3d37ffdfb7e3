const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** The size as Kubernetes writes it back: in the largest unit that leaves a whole number. */
export function canonicalSize(text: string): string {
  const match = /^(\d+)([A-Za-z]*)$/.exec(text);
  if (match === null) return text;
  const [, digits = '', unit = ''] = match;
  const [units, step] = unit.endsWith('i') ? [binary, 1024n] : [decimal, 1000n];
  let at = units.indexOf(unit);
  let amount = BigInt(digits);
  if (at < 0) return text;
  if (amount === 0n) return '0';
  while (at + 1 < units.length && amount % step === 0n) {
    amount /= step;
    at++;
  }
  return `${amount}${units[at]}`;
}
