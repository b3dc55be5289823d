import type { LabelsOf, MetricCatalogue, NamesOf } from './catalogue.ts';

/**
 * Where a part says what it did. Called once a batch, a flush or a merge, never once a delivery. Label values come from
 * the code or from the configuration.
 *
 * `Metrics` alone is what the program hands to every part. It counts nothing: each folder takes it as metrics of its own
 * catalogue, `Metrics<typeof kafkaMetrics>`, and can then count those and no others. It is one object under every type.
 */
export interface Metrics<Catalogue extends MetricCatalogue = MetricCatalogue> {
  // Methods, not properties: their parameters are compared in both directions, so `Metrics` passes as metrics of any catalogue.
  /** Adds to a counter. */
  count<Name extends NamesOf<Catalogue, 'counter'>>(name: Name, labels: LabelsOf<Catalogue[Name]>, amount?: number): void;
  /** Notes one duration. */
  observe<Name extends NamesOf<Catalogue, 'histogram'>>(name: Name, labels: LabelsOf<Catalogue[Name]>, seconds: number): void;
  /**
   * Gauges are not kept, they are read: `read` is called whenever somebody asks for the metrics, and sets what holds
   * then. A series that it does not set any more is gone. Returns how to end that.
   */
  watch(read: (set: SetGauge<Catalogue>) => void): () => void;
}

export type SetGauge<Catalogue extends MetricCatalogue = MetricCatalogue> = <Name extends NamesOf<Catalogue, 'gauge'>>(
  name: Name,
  labels: LabelsOf<Catalogue[Name]>,
  value: number,
) => void;

export const silentMetrics: Metrics = { count: () => {}, observe: () => {}, watch: () => () => {} };
