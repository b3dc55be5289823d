import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AortaError } from '../errors/aorta-error.ts';
import { DURATION_BUCKETS, type MetricCatalogue, type MetricEntry, MOST_SERIES, OVERFLOW } from './catalogue.ts';
import { generalMetrics } from './general.ts';
import type { Metrics } from './metrics.ts';

/** Metrics that are kept, and can be asked for. */
export interface PrometheusMetrics<Catalogue extends MetricCatalogue = MetricCatalogue> extends Metrics<Catalogue> {
  readonly contentType: string;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

export interface PrometheusOptions<Catalogue extends MetricCatalogue> {
  /** Metrics beside those that every folder may count. */
  readonly catalogue?: Catalogue;
  /** Also what Node tells of its process: memory, CPU, event loop, garbage collection. Default: not. */
  readonly process?: boolean;
  /** Series of one metric at most; for tests. */
  readonly mostSeries?: number;
}

type Labels = Readonly<Record<string, string>>;
type SetAny = (name: string, labels: Labels, value: number) => void;

/** Metrics with a registry of their own: two of them know nothing of each other. */
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

  /** The labels under which a measurement is kept. */
  const bounded = (name: string, labels: Labels): Labels => {
    const bound = bounds.get(name);
    // The compiler cannot see that an adapter leaves the catalogue that its code counts out of its object.
    if (bound === undefined) throw new AortaError('AORTA-BUG', { place: 'metrics', problem: `no catalogue has ${name}` });
    if (bound.admits(labels)) return labels;
    overflown.inc({ metric: name });
    return bound.overflow;
  };

  const watchers = new Set<(set: SetAny) => void>();
  const set: SetAny = (name, labels, value) => {
    const kept = bounded(name, labels);
    const gauge = held.get(name) as Gauge;
    // Of many that are told together the largest is told: a sum of positions or of ages would mean nothing.
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
        // One without labels is 0 after that; one that nobody sets is to have no series.
        if (Object.keys(labels).length === 0) gauge.remove();
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
  const about = { name, help, labelNames: Object.keys(labels), registers: [registry] };
  if (type === 'counter') return new Counter(about);
  if (type === 'gauge') return new Gauge(about);
  return new Histogram({ ...about, buckets: [...DURATION_BUCKETS] });
}
