import type { LabelsOf, MetricOfType } from './catalogue.ts';

/**
 * Where a part says what it did. Called once a batch, a flush or a merge, never once a delivery. Labels are of the
 * catalogue's names; their values come from the code or from the configuration.
 */
export interface Metrics {
  /** Adds to a counter. */
  count<N extends MetricOfType<'counter'>>(name: N, labels: LabelsOf<N>, amount?: number): void;
  /** Notes one duration. */
  observe<N extends MetricOfType<'histogram'>>(name: N, labels: LabelsOf<N>, seconds: number): void;
  /**
   * Gauges are not kept, they are read: `read` is called whenever somebody asks for the metrics, and sets what holds
   * then. A series that it does not set any more is gone. Returns how to end that.
   */
  watch(read: (set: SetGauge) => void): () => void;
}

export type SetGauge = <N extends MetricOfType<'gauge'>>(name: N, labels: LabelsOf<N>, value: number) => void;

export const silentMetrics: Metrics = { count: () => {}, observe: () => {}, watch: () => () => {} };
