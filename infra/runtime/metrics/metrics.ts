/**
 * Defines the form of a metric catalogue. A folder with its own metrics declares a catalogue in its `metrics.ts`, and the
 * program composes all catalogues into one. `/metrics` and the reference page are generated from the composed catalogue.
 * The meaning of a metric name never changes.
 *
 * Label values come from a fixed set in the code or from the configuration. They never come from a delivery, because they
 * must not contain health data or identify a person. To check this rule, the fault tests put marked values into
 * deliveries, and search the metrics for these values.
 */

/**
 * A *counter* starts at 0 when the process starts, and only increases. A *gauge* is read at each scrape. A *histogram*
 * counts observations by size.
 */
type MetricType = 'counter' | 'gauge' | 'histogram';

/** Prometheus recommends base units. `none` is a plain count. */
type MetricUnit = 'seconds' | 'bytes' | 'none';

export interface MetricEntry {
  readonly type: MetricType;
  readonly unit: MetricUnit;
  readonly help: string;
  /** Describes the values of each label, by label name. */
  readonly labels: Readonly<Record<string, string>>;
}

export type MetricCatalogue = Readonly<Record<string, MetricEntry>>;

type NamesOf<Catalogue extends MetricCatalogue, Type extends MetricType> = {
  [Name in keyof Catalogue & string]: Catalogue[Name]['type'] extends Type ? Name : never;
}[keyof Catalogue & string];

/** One value for each label of the metric, and no other labels. */
type LabelsOf<Entry extends MetricEntry> = Readonly<Record<keyof Entry['labels'], string>> &
  ([keyof Entry['labels']] extends [never] ? Readonly<Record<string, never>> : unknown);

export const sharedLabels = {
  source: 'Name of the source in the configuration.',
  partition: 'Partition, as the broker numbers it. Sources without a broker do not use this label.',
  stream: 'Name of a stream, as listed on the reference page of streams.',
  group: 'Name of a group that reads streams; the group of the loader is `warehouse`.',
  table: 'Name of a table in the warehouse.',
  outcome: '`kept`, `redelivered`, `unrouted` or `dead_letter`; for fetches `fetched`, `gone`, `failed` or `given_up`.',
  reason: 'Reason for a dead letter or a wait, from a fixed set in the code.',
  code: 'Error code, as listed on the reference page of errors, or `none` for an exception without a code.',
  part: 'The part of the program that waits.',
} as const;

/** Histogram buckets in seconds, from a fast fsync to a merge of several minutes. */
export const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** Maximum number of label combinations per metric. Further combinations share one series. */
export const MOST_SERIES = 2_000;

/** In the series that all label combinations beyond {@link MOST_SERIES} share, every label has this value. */
export const OVERFLOW = 'other';

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
