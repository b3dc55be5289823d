/**
 * What a metric catalogue is. Every folder that measures something of its own declares one in its `metrics.ts`; the
 * program composes them. What `/metrics` says and the reference page are made from the composed catalogue. A name never
 * changes its meaning.
 *
 * A label's value comes from a closed set in the code or from the configuration; never from a delivery, so never a value
 * of health data or an identifier of a person. The planted values of the fault tests check that.
 */

/** *counter* only grows, from 0 at the start of the process; *gauge* is read when somebody asks; *histogram* counts observations by size. */
type MetricType = 'counter' | 'gauge' | 'histogram';

/** Base units only, as Prometheus wants them; without one, a count of things. */
type MetricUnit = 'seconds' | 'bytes' | 'none';

export interface MetricEntry {
  readonly type: MetricType;
  readonly unit: MetricUnit;
  readonly help: string;
  /** Where the values of each label come from, by its name. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Metrics by name. */
export type MetricCatalogue = Readonly<Record<string, MetricEntry>>;

/** Names of a catalogue's metrics of one type. */
export type NamesOf<Catalogue extends MetricCatalogue, Type extends MetricType> = {
  [Name in keyof Catalogue & string]: Catalogue[Name]['type'] extends Type ? Name : never;
}[keyof Catalogue & string];

/** A value for each label of the metric, and for no other. */
export type LabelsOf<Entry extends MetricEntry> = Readonly<Record<keyof Entry['labels'], string>> &
  ([keyof Entry['labels']] extends [never] ? Readonly<Record<string, never>> : unknown);

/** Labels that metrics of several folders have. */
export const sharedLabels = {
  source: 'Name of the source in the configuration.',
  partition: 'Partition of a broker, as the broker numbers it.',
  stream: 'A stream of the reference page of streams.',
  group: 'A group that reads streams; the jobs are `warehouse`.',
  table: 'A table of the warehouse.',
  outcome: '`kept`, `redelivered`, `unrouted` or `dead_letter`; of fetches `fetched`, `gone`, `failed` or `given_up`.',
  reason: 'A reason of dead letters, or what is waited for, out of the code.',
  code: 'A code of the reference page of errors, or `none` for an exception that has none.',
  part: 'The part of the program that waits.',
} as const;

/** Seconds from a quick sync to a merge that takes its minutes. */
export const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** Combinations of label values of one metric at most; what comes beyond is counted together. */
export const MOST_SERIES = 2_000;

/** The value of every label of what is counted together. */
export const OVERFLOW = 'other';
