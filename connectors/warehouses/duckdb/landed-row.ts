import { type Column, type StreamName, type StreamRecords, sampleValue, type TimeseriesStream } from '@aorta/schemas';

type AnyRecord = StreamRecords[StreamName];

/**
 * A row to be landed: an event or a part of one. A timeseries event is split into parts if the texts (unit, type, …) of its
 * samples differ.
 */
export interface LandedRow {
  readonly record: AnyRecord;
  /** Number of the row among the stream's landed rows. Samples refer to their row by this number. */
  readonly no: number;
  /** 0 for the first row of an event. Only this row counts as a delivery. */
  readonly part: number;
  /** Text values that all samples of the part share, by column; empty for events without samples. */
  readonly texts: Readonly<Record<string, string | null>>;
  /** First and last time of the part's samples in microseconds; NaN if there are none. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether the times are strictly ascending, so that no key occurs twice in the part. */
  readonly ascending: boolean;
  readonly samples: number;
}

type TimeseriesRecord = StreamRecords[TimeseriesStream];

/** The rows of an event. `rowOfSample` maps each sample to its row; undefined if there is only one row. */
export interface EventRows {
  readonly rows: readonly LandedRow[];
  readonly rowOfSample: Uint32Array | undefined;
}

export function plainRow(record: AnyRecord, no: number): LandedRow {
  return { record, no, part: 0, texts: {}, firstAt: Number.NaN, lastAt: Number.NaN, ascending: true, samples: 0 };
}

/** Returns the landed rows of a timeseries event, one for each combination of texts in its samples. */
export function timeseriesRows(record: TimeseriesRecord, texts: readonly Column[], no: number): EventRows {
  const arrays = texts.map((column) => (record as unknown as Record<string, (string | null)[]>)[column.name]!);
  const starts = record.start_at;
  if (arrays.every((array) => array.length <= 1)) {
    const values: Record<string, string | null> = {};
    for (let index = 0; index < texts.length; index++) values[texts[index]!.name] = arrays[index]![0] ?? null;
    return { rows: [{ record, no, part: 0, texts: values, ...span(starts) }], rowOfSample: undefined };
  }
  const rowOfSample = new Uint32Array(starts.length);
  const parts = new Map<string, { values: Record<string, string | null>; starts: number[] }>();
  const partOf = new Map<string, number>();
  for (let index = 0; index < starts.length; index++) {
    const values = Object.fromEntries(texts.map((column, at) => [column.name, sampleValue(arrays[at]!, index)]));
    const name = JSON.stringify(Object.values(values));
    let part = partOf.get(name);
    if (part === undefined) {
      part = partOf.size;
      partOf.set(name, part);
      parts.set(name, { values, starts: [] });
    }
    parts.get(name)!.starts.push(starts[index]!);
    rowOfSample[index] = part;
  }
  // A key may occur in two parts with different units. The parts therefore count as not ascending, so that the merge looks for
  // repeated keys and keeps the last sample of each.
  const rows = [...parts.values()].map((part, index) => ({
    record,
    no: no + index,
    part: index,
    texts: part.values,
    ...span(part.starts),
    ascending: false,
  }));
  return { rows, rowOfSample };
}

function span(starts: readonly number[]): { firstAt: number; lastAt: number; ascending: boolean; samples: number } {
  let firstAt = Number.POSITIVE_INFINITY;
  let lastAt = Number.NEGATIVE_INFINITY;
  let ascending = true;
  let previous = Number.NEGATIVE_INFINITY;
  for (const start of starts) {
    if (start < firstAt) firstAt = start;
    if (start > lastAt) lastAt = start;
    if (start <= previous) ascending = false;
    previous = start;
  }
  return starts.length === 0
    ? { firstAt: Number.NaN, lastAt: Number.NaN, ascending, samples: 0 }
    : { firstAt, lastAt, ascending, samples: starts.length };
}
