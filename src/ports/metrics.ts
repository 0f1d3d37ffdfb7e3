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

export interface Counter {
  add(amount: number, labels?: LabelValues): void;
}

export interface Gauge {
  set(value: number, labels?: LabelValues): void;
  /** Forgets every series, so that what no longer exists is no longer shown. */
  clear(): void;
}

export interface Histogram {
  observe(value: number, labels?: LabelValues): void;
}
