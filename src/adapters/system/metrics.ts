import assert from 'node:assert/strict';
import type {
  Counter,
  Gauge,
  Histogram,
  LabelValues,
  MetricDefinition,
  Metrics,
} from '../../ports/metrics.ts';
import { formatSample, number, text } from './prometheus-text.ts';

/** Metrics that can be shown to Prometheus. */
interface ExposedMetrics extends Metrics {
  /** All metrics in the text format 0.0.4, families and series in a stable order. */
  expose(): string;
}

interface Family {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly definition: MetricDefinition;
  readonly metric: Counter | Gauge | Histogram;
  /** The samples, without the help and type lines. */
  readonly samples: () => string[];
}

/** Metrics in memory. A label that the definition does not name is a mistake and throws. */
export function createMetrics(): ExposedMetrics {
  const families = new Map<string, Family>();

  function family<M extends Counter | Gauge | Histogram>(
    type: Family['type'],
    definition: MetricDefinition,
    create: () => { readonly metric: M; readonly samples: () => string[] },
  ): M {
    const known = families.get(definition.name);
    if (known !== undefined) {
      assert(known.type === type, `${definition.name} is a ${known.type} and no ${type}`);
      return known.metric as M;
    }
    const created = create();
    families.set(definition.name, { type, definition, ...created });
    return created.metric;
  }

  return {
    counter: (definition) => family('counter', definition, () => createCounter(definition)),
    gauge: (definition) => family('gauge', definition, () => createGauge(definition)),
    histogram: (definition) => family('histogram', definition, () => createHistogram(definition)),
    expose: () =>
      [...families.values()]
        .sort((a, b) => (a.definition.name < b.definition.name ? -1 : 1))
        .map(exposeFamily)
        .join(''),
  };
}

function exposeFamily({ type, definition, samples }: Family): string {
  const { name, help } = definition;
  const lines = [`# HELP ${name} ${text(help)}`, `# TYPE ${name} ${type}`, ...samples()];
  return `${lines.join('\n')}\n`;
}

function createCounter(definition: MetricDefinition) {
  const series = createSeries<{ value: number }>(definition, () => ({ value: 0 }));
  const metric: Counter = {
    add: (amount, labels) => {
      assert(amount >= 0, `${definition.name} can only grow`);
      series.of(labels).value += amount;
    },
    clear: series.clear,
  };
  return { metric, samples: () => valueSamples(definition, series) };
}

function createGauge(definition: MetricDefinition) {
  const series = createSeries<{ value: number }>(definition, () => ({ value: 0 }));
  const metric: Gauge = {
    set: (value, labels) => {
      series.of(labels).value = value;
    },
    clear: series.clear,
  };
  return { metric, samples: () => valueSamples(definition, series) };
}

function createHistogram(definition: MetricDefinition & { readonly buckets: readonly number[] }) {
  const bounds = [...definition.buckets].sort((a, b) => a - b);
  const series = createSeries(definition, () => ({
    counts: bounds.map(() => 0),
    count: 0,
    sum: 0,
  }));
  const metric: Histogram = {
    observe: (value, labels) => {
      const entry = series.of(labels);
      entry.count++;
      entry.sum += value;
      const bucket = bounds.findIndex((bound) => value <= bound);
      if (bucket >= 0) entry.counts[bucket] = (entry.counts[bucket] ?? 0) + 1;
    },
  };
  const samples = (): string[] =>
    series.all().flatMap(([labels, entry]) => {
      const { name } = definition;
      let below = 0;
      const buckets = bounds.map((bound, index) => {
        below += entry.counts[index] ?? 0;
        return formatSample(`${name}_bucket`, { ...labels, le: number(bound) }, below);
      });
      return [
        ...buckets,
        formatSample(`${name}_bucket`, { ...labels, le: '+Inf' }, entry.count),
        formatSample(`${name}_sum`, labels, entry.sum),
        formatSample(`${name}_count`, labels, entry.count),
      ];
    });
  return { metric, samples };
}

interface Series<S> {
  of(labels?: LabelValues): S;
  /** By label values. */
  all(): [LabelValues, S][];
  /** Those that carry all of these label values. */
  clear(labels?: LabelValues): void;
}

/** One state per combination of label values. A metric without labels has its one from the start. */
function createSeries<S>(definition: MetricDefinition, create: () => S): Series<S> {
  const names = definition.labels ?? [];
  const states = new Map<string, [LabelValues, S]>();
  const of = (labels: LabelValues = {}): S => {
    const key = names.map((name) => labels[name] ?? '').join('\u0000');
    const known = states.get(key);
    if (known !== undefined) return known[1];
    for (const name of Object.keys(labels)) {
      assert(names.includes(name), `${definition.name} has no label ${name}`);
    }
    const values = Object.fromEntries(names.map((name) => [name, labels[name] ?? '']));
    const state = create();
    states.set(key, [values, state]);
    return state;
  };
  if (names.length === 0) of();
  const all = (): [LabelValues, S][] =>
    [...states.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const clear = (chosen: LabelValues = {}): void => {
    for (const [key, [labels]] of states)
      if (Object.entries(chosen).every(([name, value]) => labels[name] === value))
        states.delete(key);
  };
  return { of, all, clear };
}

function valueSamples(definition: MetricDefinition, series: Series<{ value: number }>): string[] {
  return series.all().map(([labels, { value }]) => formatSample(definition.name, labels, value));
}
