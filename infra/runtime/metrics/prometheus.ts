import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { DURATION_BUCKETS, type MetricEntry, type MetricName, MOST_SERIES, metricCatalogue, OVERFLOW } from './catalogue.ts';
import type { Metrics, SetGauge } from './metrics.ts';

/** Metrics that are kept, and can be asked for. */
export interface PrometheusMetrics extends Metrics {
  readonly contentType: string;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

export interface PrometheusOptions {
  /** Also what Node tells of its process: memory, CPU, event loop, garbage collection. Default: not. */
  readonly process?: boolean;
  /** Series of one metric at most; for tests. */
  readonly mostSeries?: number;
}

type Labels = Readonly<Record<string, string>>;

/** Metrics with a registry of their own: two of them know nothing of each other. */
export function createMetrics({ process = false, mostSeries = MOST_SERIES }: PrometheusOptions = {}): PrometheusMetrics {
  const registry = new Registry();
  if (process) collectDefaultMetrics({ register: registry });
  const held = new Map<MetricName, Counter | Gauge | Histogram>();
  const bounds = new Map<MetricName, SeriesBound>();
  for (const [name, entry] of Object.entries(metricCatalogue) as [MetricName, MetricEntry][]) {
    held.set(name, register(registry, name, entry));
    bounds.set(name, new SeriesBound(entry.labels, mostSeries));
  }
  const overflown = held.get('aorta_metrics_overflow_total') as Counter;

  /** The labels under which a measurement is kept. */
  const bounded = (name: MetricName, labels: Labels): Labels => {
    const bound = bounds.get(name)!;
    if (bound.admits(labels)) return labels;
    overflown.inc({ metric: name });
    return bound.overflow;
  };

  const watchers = new Set<(set: SetGauge) => void>();
  const set: SetGauge = (name, labels, value) => {
    const kept = bounded(name, labels);
    const gauge = held.get(name) as Gauge;
    // Of many that are told together the largest is told: a sum of positions or of ages would mean nothing.
    gauge.set(kept, kept === labels ? value : bounds.get(name)!.largestWith(value));
  };

  return {
    contentType: registry.contentType,
    count(name, labels, amount = 1) {
      if (amount > 0) (held.get(name) as Counter).inc(bounded(name, labels), amount);
    },
    observe(name, labels, seconds) {
      (held.get(name) as Histogram).observe(bounded(name, labels), seconds);
    },
    watch(read) {
      watchers.add(read);
      return () => void watchers.delete(read);
    },
    text() {
      for (const [name, entry] of Object.entries(metricCatalogue) as [MetricName, MetricEntry][]) {
        if (entry.type !== 'gauge') continue;
        const gauge = held.get(name) as Gauge;
        gauge.reset();
        // One without labels is 0 after that; one that nobody sets is to have no series.
        if (entry.labels.length === 0) gauge.remove();
        bounds.get(name)!.forget();
      }
      for (const read of watchers) read(set);
      return registry.metrics();
    },
  };
}

/** Which combinations of label values a metric has, and whether it may have another one. */
class SeriesBound {
  readonly overflow: Labels;
  #largest = Number.NEGATIVE_INFINITY;
  readonly #names: readonly string[];
  readonly #most: number;
  readonly #seen = new Set<string>();

  constructor(names: readonly string[], most: number) {
    this.#names = names;
    this.#most = most;
    this.overflow = Object.fromEntries(names.map((name) => [name, OVERFLOW]));
  }

  admits(labels: Labels): boolean {
    if (this.#names.length === 0) return true;
    const key = JSON.stringify(this.#names.map((name) => labels[name]));
    if (this.#seen.has(key)) return true;
    if (this.#seen.size >= this.#most) return false;
    this.#seen.add(key);
    return true;
  }

  /** The largest value told together, with this one. */
  largestWith(value: number): number {
    this.#largest = Math.max(this.#largest, value);
    return this.#largest;
  }

  forget(): void {
    this.#seen.clear();
    this.#largest = Number.NEGATIVE_INFINITY;
  }
}

function register(registry: Registry, name: string, { type, help, labels }: MetricEntry): Counter | Gauge | Histogram {
  const about = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === 'counter') return new Counter(about);
  if (type === 'gauge') return new Gauge(about);
  return new Histogram({ ...about, buckets: [...DURATION_BUCKETS] });
}
