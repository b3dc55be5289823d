import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AortaError } from '../errors/aorta-error.ts';
import { generalMetrics } from './general-metrics.ts';
import { DURATION_BUCKETS, type MetricCatalogue, type MetricEntry, type Metrics, MOST_SERIES, OVERFLOW } from './metrics.ts';

/** Metrics that are kept in memory and exported in the Prometheus text format. */
export interface PrometheusMetrics<Catalogue extends MetricCatalogue = MetricCatalogue> extends Metrics<Catalogue> {
  readonly contentType: string;
  text(): Promise<string>;
}

export interface PrometheusOptions<Catalogue extends MetricCatalogue> {
  /** Metrics in addition to the general metrics. */
  readonly catalogue?: Catalogue;
  /** Whether to export Node's process metrics: memory, CPU, event loop, garbage collection. Default: false. */
  readonly process?: boolean;
  /** Maximum number of series per metric. Only tests set this option. */
  readonly mostSeries?: number;
}

type Labels = Readonly<Record<string, string>>;
type SetAny = (name: string, labels: Labels, value: number) => void;

/** Creates metrics with their own registry, independent of any other metrics object. */
export function createMetrics<Catalogue extends MetricCatalogue = typeof generalMetrics>({
  catalogue,
  process = false,
  mostSeries = MOST_SERIES,
}: PrometheusOptions<Catalogue> = {}): PrometheusMetrics<Catalogue & typeof generalMetrics> {
  const entries: readonly [string, MetricEntry][] = Object.entries({ ...generalMetrics, ...catalogue });
  const registry = new Registry();
  if (process) collectDefaultMetrics({ register: registry });
  const held = new Map<string, Counter | Gauge | Histogram>();
  const bounds = new Map<string, SeriesBound>();
  for (const [name, entry] of entries) {
    held.set(name, register(registry, name, entry));
    bounds.set(name, new SeriesBound(Object.keys(entry.labels), mostSeries));
  }
  const overflown = held.get('aorta_metrics_overflow_total') as Counter;

  /**
   * Returns the labels under which a value is stored. These are its own labels or, for label combinations beyond the
   * limit, the labels of the shared series.
   */
  const bounded = (name: string, labels: Labels): Labels => {
    const bound = bounds.get(name);
    // An adapter may count a metric from a catalogue that the adapter does not declare. The compiler cannot detect this
    // mistake.
    if (bound === undefined) throw new AortaError('AORTA-BUG', { place: 'metrics', problem: `no catalogue has ${name}` });
    if (bound.admits(labels)) return labels;
    overflown.inc({ metric: name });
    return bound.overflow;
  };

  const watchers = new Set<(set: SetAny) => void>();
  const set: SetAny = (name, labels, value) => {
    const kept = bounded(name, labels);
    const gauge = held.get(name) as Gauge;
    // The shared series of a gauge shows the largest value, because a sum of positions or ages has no meaning.
    gauge.set(kept, kept === labels ? value : bounds.get(name)!.largestWith(value));
  };

  return {
    contentType: registry.contentType,
    count(name: string, labels: Labels, amount = 1) {
      if (amount <= 0) return;
      const kept = bounded(name, labels);
      (held.get(name) as Counter).inc(kept, amount);
    },
    observe(name: string, labels: Labels, seconds) {
      const kept = bounded(name, labels);
      (held.get(name) as Histogram).observe(kept, seconds);
    },
    watch(read) {
      watchers.add(read);
      return () => void watchers.delete(read);
    },
    text() {
      for (const [name, { type, labels }] of entries) {
        if (type !== 'gauge') continue;
        const gauge = held.get(name) as Gauge;
        gauge.reset();
        // reset() sets a gauge without labels to 0. remove() makes the gauge disappear unless a callback sets it.
        if (Object.keys(labels).length === 0) gauge.remove();
        bounds.get(name)!.forget();
      }
      for (const read of watchers) read(set);
      return registry.metrics();
    },
  };
}

/** A limited set of the label combinations of one metric. */
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

  /** Returns the largest value of the shared series so far, including `value`. */
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
  const about = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (type === 'counter') return new Counter(about);
  if (type === 'gauge') return new Gauge(about);
  return new Histogram({ ...about, buckets: [...DURATION_BUCKETS] });
}
