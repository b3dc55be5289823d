/**
 * The metric catalogue: every metric that this program has, with its unit and its labels. The types of {@link Metrics},
 * what `/metrics` says, and the reference page are made from it. A name never changes its meaning.
 *
 * A label's value comes from a closed set in the code or from the configuration; never from a delivery, so never a value
 * of health data or an identifier of a person. `test/house` and the planted values of the fault tests hold it to that.
 */

/** Where the values of a label come from. */
export const labelCatalogue = {
  source: 'Name of the source in the configuration.',
  partition: 'Partition of a broker, as the broker numbers it.',
  stream: 'A stream of the reference page of streams.',
  group: 'A group that reads streams; the jobs are `warehouse`.',
  table: 'A table of the warehouse.',
  range: '`recent` or `old`: merges of recent and of old dates are apart.',
  outcome: '`kept`, `redelivered`, `unrouted` or `dead_letter`; of fetches `fetched`, `gone`, `failed` or `given_up`.',
  reason: 'A reason of dead letters, or what is waited for, out of the code.',
  code: 'A code of the reference page of errors, or `none` for an exception that has none.',
  part: 'The part of the program that waits.',
  state: 'What a source does with the partition, in a word.',
  incident:
    '`reopened`: a partition was opened anew; `repeated`: events came twice and were taken once; `missing`: the hub left sequence numbers out; `expired`: events that it dropped before they were read; `blind`: sequence numbers of a redelivery window that it no longer has; `beginning_lost`: a Kafka cluster has lost where the group began in a partition.',
  condition:
    'What a broker or the network answered, by the name that the protocol or the system has for it: `amqp:unauthorized-access`, `ECONNREFUSED`.',
  metric: 'A metric of this page.',
  call: '`user`, `page` (of all users) or `failed`.',
  version: 'Version of the program.',
} as const;

type LabelName = keyof typeof labelCatalogue;

/** *counter* only grows, from 0 at the start of the process; *gauge* is read when somebody asks; *histogram* counts observations by size. */
type MetricType = 'counter' | 'gauge' | 'histogram';

/** Base units only, as Prometheus wants them; without one, a count of things. */
type MetricUnit = 'seconds' | 'bytes' | 'none';

export interface MetricEntry {
  readonly type: MetricType;
  readonly unit: MetricUnit;
  readonly help: string;
  readonly labels: readonly LabelName[];
}

/** Seconds from a quick sync to a merge that takes its minutes. */
export const DURATION_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;

/** Combinations of label values of one metric at most; what comes beyond is counted together. */
export const MOST_SERIES = 2_000;

/** The value of every label of what is counted together. */
export const OVERFLOW = 'other';

export const metricCatalogue = {
  aorta_build_info: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; the version of the program is its label.',
    labels: ['version'],
  },
  aorta_ready: {
    type: 'gauge',
    unit: 'none',
    help: '1 where /readyz says ready, else 0.',
    labels: [],
  },
  aorta_restarts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Crashes of earlier working processes after which the supervisor started another one, since the supervisor was started.',
    labels: [],
  },
  aorta_errors_total: {
    type: 'counter',
    unit: 'none',
    help: 'Errors and warnings that were logged, by code.',
    labels: ['code'],
  },
  aorta_waiting_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'For how long a part has been waiting now; no series where it does not wait.',
    labels: ['part', 'reason'],
  },
  aorta_wait_seconds_total: {
    type: 'counter',
    unit: 'seconds',
    help: 'Time that a part has spent waiting, over all waits that have ended.',
    labels: ['part', 'reason'],
  },
  aorta_deliveries_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries taken from the source, by what became of them; one that is read again counts again.',
    labels: ['source', 'outcome'],
  },
  aorta_delivery_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Bodies of the deliveries taken, as they came.',
    labels: ['source'],
  },
  aorta_dead_letters_total: {
    type: 'counter',
    unit: 'none',
    help: 'Dead letters made: whole deliveries, and parts of kept ones.',
    labels: ['source', 'reason'],
  },
  aorta_delivery_conflicts_total: {
    type: 'counter',
    unit: 'none',
    help: 'Deliveries whose id the redelivery window held with another body; they are taken.',
    labels: ['source'],
  },
  aorta_flush_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'From the beginning of a flush until the source is committed behind it.',
    labels: ['source'],
  },
  aorta_redelivery_window_restores_total: {
    type: 'counter',
    unit: 'none',
    help: 'Times that the window of a partition was read again, after a rewind or for a partition that had been set aside.',
    labels: ['source'],
  },
  aorta_redelivery_window_restore_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Time that reading the window of a partition again took.',
    labels: ['source'],
  },
  aorta_redelivery_window_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Memory that the entries of the redelivery window take.',
    labels: [],
  },
  aorta_source_position: {
    type: 'gauge',
    unit: 'none',
    help: 'Offset of the partition that is taken next.',
    labels: ['source', 'partition'],
  },
  aorta_source_end: {
    type: 'gauge',
    unit: 'none',
    help: 'Offset after the last one that the partition is known to hold.',
    labels: ['source', 'partition'],
  },
  aorta_source_lag: {
    type: 'gauge',
    unit: 'none',
    help: 'Deliveries that the partition is known to hold and that are not taken.',
    labels: ['source', 'partition'],
  },
  aorta_source_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Since the receipt of the last delivery taken, where more wait; 0 where none does. No series where the source does not know.',
    labels: ['source', 'partition'],
  },
  aorta_source_state: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; what is done with the partition is its label.',
    labels: ['source', 'partition', 'state'],
  },
  aorta_source_held_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bodies of deliveries that the source was sent and has not handed on yet.',
    labels: ['source'],
  },
  aorta_source_refusals_total: {
    type: 'counter',
    unit: 'none',
    help: 'Times that a hub refused the source or did not answer it, by condition.',
    labels: ['source', 'condition'],
  },
  aorta_source_incidents_total: {
    type: 'counter',
    unit: 'none',
    help: 'What happened to partitions of the source, in partitions or in events.',
    labels: ['source', 'incident'],
  },
  aorta_fetches_total: {
    type: 'counter',
    unit: 'none',
    help: 'Things asked of the service that events had announced, by what became of it.',
    labels: ['source', 'outcome'],
  },
  aorta_fetch_owed: {
    type: 'gauge',
    unit: 'none',
    help: 'Things that events have announced and that are not fetched yet.',
    labels: ['source'],
  },
  aorta_stream_records_total: {
    type: 'counter',
    unit: 'none',
    help: 'Records made durable in the stream.',
    labels: ['stream'],
  },
  aorta_stream_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Encoded records made durable in the stream, with the frames of their blocks.',
    labels: ['stream'],
  },
  aorta_stream_flush_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Writing and syncing what was gathered, over all streams.',
    labels: [],
  },
  aorta_stream_pending_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Encoded records that are held in memory until they are durable, over all streams.',
    labels: [],
  },
  aorta_stream_segment_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Size of the segment of the stream that is written to.',
    labels: ['stream'],
  },
  aorta_stream_end: {
    type: 'gauge',
    unit: 'none',
    help: 'Position after the last record of the stream.',
    labels: ['stream'],
  },
  aorta_job_position: {
    type: 'gauge',
    unit: 'none',
    help: 'Position up to which the group has carried the stream.',
    labels: ['group', 'stream'],
  },
  aorta_job_lag: {
    type: 'gauge',
    unit: 'none',
    help: 'Records of the stream that the group has not carried yet.',
    labels: ['group', 'stream'],
  },
  aorta_job_lag_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Since the receipt of the oldest record that is known to wait; 0 where none waits.',
    labels: ['group', 'stream'],
  },
  aorta_job_batches_total: {
    type: 'counter',
    unit: 'none',
    help: 'Batches landed in the warehouse.',
    labels: ['stream'],
  },
  aorta_job_records_total: {
    type: 'counter',
    unit: 'none',
    help: 'Records landed in the warehouse.',
    labels: ['stream'],
  },
  aorta_job_land_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Landing one batch.',
    labels: ['stream'],
  },
  aorta_merge_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Merging landed batches into one table.',
    labels: ['table', 'range'],
  },
  aorta_merge_rows_total: {
    type: 'counter',
    unit: 'none',
    help: 'Landed rows folded into the table.',
    labels: ['table', 'range'],
  },
  aorta_merge_waiting_rows: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed rows that wait for their merge into the table; no series where none do.',
    labels: ['table', 'range'],
  },
  aorta_merge_due_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Until that merge is due at the latest; negative where it is overdue.',
    labels: ['table', 'range'],
  },
  aorta_warehouse_backlog_batches: {
    type: 'gauge',
    unit: 'none',
    help: 'Batches that are landed and not merged.',
    labels: [],
  },
  aorta_warehouse_backlog_records: {
    type: 'gauge',
    unit: 'none',
    help: 'Records of the batches that are landed and not merged.',
    labels: [],
  },
  aorta_warehouse_uploaded_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Rows uploaded to BigQuery, before compression.',
    labels: ['stream'],
  },
  aorta_warehouse_billed_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    help: 'Bytes that BigQuery billed merges into the table for.',
    labels: ['table'],
  },
  aorta_warehouse_day_billed_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Bytes billed since midnight UTC: those of this process, and of all as it began.',
    labels: [],
  },
  aorta_warehouse_day_cost: {
    type: 'gauge',
    unit: 'none',
    help: 'What was spent since then, by bytes or by slot time, in the currency of `price_per_tib`.',
    labels: [],
  },
  aorta_warehouse_slot_seconds_total: {
    type: 'counter',
    unit: 'seconds',
    help: 'Slot time of merges that is paid for: of jobs in a reservation (BigQuery Editions).',
    labels: ['table'],
  },
  aorta_warehouse_table_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Size of the table when it was last merged into.',
    labels: ['table'],
  },
  aorta_warehouse_quota_wait_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'For how long a quota of BigQuery has been waited for now; no series where none is.',
    labels: ['reason'],
  },
  aorta_warehouse_retries_total: {
    type: 'counter',
    unit: 'none',
    help: 'Pauses after BigQuery did not do something, by its reason.',
    labels: ['reason'],
  },
  aorta_warehouse_merges_held: {
    type: 'gauge',
    unit: 'none',
    help: 'Always 1; why merges of the table wait is its label.',
    labels: ['table', 'code'],
  },
  aorta_warehouse_batches_set_aside: {
    type: 'gauge',
    unit: 'none',
    help: 'Landed batches that BigQuery cannot merge into the table, even alone; no series where there are none.',
    labels: ['table'],
  },
  aorta_publish_seconds: {
    type: 'histogram',
    unit: 'seconds',
    help: 'Publishing the copy that readers see.',
    labels: [],
  },
  aorta_pulls_calls_total: {
    type: 'counter',
    unit: 'none',
    help: 'Calls of the introspection of historical pulls.',
    labels: ['call'],
  },
  aorta_pulls_tracks_total: {
    type: 'counter',
    unit: 'none',
    help: 'Tracks of historical pulls that were folded anew, because something was heard.',
    labels: [],
  },
  aorta_pulls_notices_total: {
    type: 'counter',
    unit: 'none',
    help: 'Notices of historical pulls that were posted, by what became of them: `accepted` by a status of 2xx, or `failed`.',
    labels: ['outcome'],
  },
  aorta_pulls_notices_waiting: {
    type: 'gauge',
    unit: 'none',
    help: 'Notices of historical pulls that wait: for their time, for the summary, or for the receiver.',
    labels: [],
  },
  aorta_pulls_users: {
    type: 'gauge',
    unit: 'none',
    help: 'Users whose historical pulls are followed.',
    labels: [],
  },
  aorta_pulls_evidence_bytes: {
    type: 'gauge',
    unit: 'bytes',
    help: 'Memory that the evidence of historical pulls takes.',
    labels: [],
  },
  aorta_pulls_oldest_answer_seconds: {
    type: 'gauge',
    unit: 'seconds',
    help: 'Age of the oldest answer that the service gave for a user; absent while one was not answered for yet.',
    labels: [],
  },
  aorta_metrics_overflow_total: {
    type: 'counter',
    unit: 'none',
    help: `Measurements counted under \`${OVERFLOW}\`, because their metric had ${MOST_SERIES} series already.`,
    labels: ['metric'],
  },
} as const satisfies Record<string, MetricEntry>;

export type MetricName = keyof typeof metricCatalogue;

/** Names of the metrics of one type. */
export type MetricOfType<T extends MetricType> = {
  [N in MetricName]: (typeof metricCatalogue)[N]['type'] extends T ? N : never;
}[MetricName];

/** A value for each label of the metric. */
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof metricCatalogue)[N]['labels'][number], string>>;
