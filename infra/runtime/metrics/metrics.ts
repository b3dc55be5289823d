import type { LabelsOf, MetricCatalogue, NamesOf } from './catalogue.ts';

/**
 * Records metrics. Record a metric once per batch, flush or merge, never once per delivery.
 * The program passes the same object to all of its parts, with the type `Metrics`. Code that uses this type cannot count
 * any metric. Therefore, each folder declares its parameter with its own catalogue, such as `Metrics<typeof kafkaMetrics>`,
 * and can then count only the metrics of that catalogue.
 */
export interface Metrics<Catalogue extends MetricCatalogue = MetricCatalogue> {
  // These must be methods: TypeScript compares method parameters bivariantly, so `Metrics` is assignable to any `Metrics<…>`.
  /** Adds to a counter. */
  count<Name extends NamesOf<Catalogue, 'counter'>>(name: Name, labels: LabelsOf<Catalogue[Name]>, amount?: number): void;
  observe<Name extends NamesOf<Catalogue, 'histogram'>>(name: Name, labels: LabelsOf<Catalogue[Name]>, seconds: number): void;
  /**
   * Registers a callback that sets gauges at each scrape. A series that the callback does not set disappears. The
   * returned function removes the callback.
   */
  watch(read: (set: SetGauge<Catalogue>) => void): () => void;
}

export type SetGauge<Catalogue extends MetricCatalogue = MetricCatalogue> = <Name extends NamesOf<Catalogue, 'gauge'>>(
  name: Name,
  labels: LabelsOf<Catalogue[Name]>,
  value: number,
) => void;

export const silentMetrics: Metrics = { count: () => {}, observe: () => {}, watch: () => () => {} };
