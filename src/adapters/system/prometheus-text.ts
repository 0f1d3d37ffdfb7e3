import type { LabelValues } from '../../ports/metrics.ts';

/** One line of the Prometheus text format 0.0.4. Labels keep their order. */
export function formatSample(name: string, labels: LabelValues, value: number): string {
  const pairs = Object.entries(labels).map(([label, content]) => `${label}="${quoted(content)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${number(value)}`;
}

/** A number as Prometheus writes it: `+Inf`, `-Inf` and `NaN` included. */
export function number(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

/** Help text, which ends with its line. */
export function text(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}

function quoted(value: string): string {
  return text(value).replace(/"/g, '\\"');
}
