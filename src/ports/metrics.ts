export type LabelValues = Readonly<Record<string, string>>;

/** Numbers about ourselves, under Prometheus names. Asking twice for one name gives the same metric. */
export interface Metrics {
  counter(definition: MetricDefinition): Counter;
  gauge(definition: MetricDefinition): Gauge;
  histogram(definition: MetricDefinition & { readonly buckets: readonly number[] }): Histogram;
}

export interface MetricDefinition {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Counter extends Forgetful {
  add(amount: number, labels?: LabelValues): void;
}

export interface Gauge extends Forgetful {
  set(value: number, labels?: LabelValues): void;
}

interface Forgetful {
  /** Forgets the series with these label values, or every one, so that what is gone is not shown. */
  clear(labels?: LabelValues): void;
}

export interface Histogram {
  observe(value: number, labels?: LabelValues): void;
}
