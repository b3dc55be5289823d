import { type Receipt, type StreamRecords, streamSchemas } from '../streams/streams.generated.ts';
import { readEnvelope } from './envelope.ts';
import { extraText, isObject, keep, type Leftovers, planOf, readFields } from './fields.ts';
import { parseInstant } from './instant.ts';
import { jsonText, unkeepable } from './json-text.ts';
import { originMembers, readOrigin, timeBasis } from './origin.ts';
import { PerSample } from './per-sample.ts';
import { resourceOf } from './resource.ts';
import type { Reader } from './summary.ts';
import type { Reading, RefusedPart } from './verdict.ts';

/** Members of a sample as they come; any of them may be missing or of another type. */
interface Sample {
  readonly timestamp?: unknown;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly timezone_offset?: unknown;
  readonly type?: unknown;
  readonly unit?: unknown;
  readonly value?: unknown;
  readonly systolic?: unknown;
  readonly diastolic?: unknown;
  readonly grouping?: unknown;
}

/** What samples of every shape have in common. */
interface Batch {
  readonly floating: boolean;
  readonly starts: number[];
  readonly offsets: PerSample<number>;
  readonly types: PerSample<string>;
  readonly units: PerSample<string>;
  readonly extras: PerSample<string>;
  readonly refused: RefusedPart[];
}

function memberCount(object: object): number {
  let count = 0;
  // JSON.parse makes plain objects, so there is nothing inherited to count.
  for (const _ in object) count++;
  return count;
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null;
const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
/** Seconds east of UTC; the widest offset that ISO 8601 is used with is 18 hours. A wider one would move the local date. */
const offsetSeconds = (value: unknown): number | null =>
  typeof value === 'number' && value === (value | 0) && Math.abs(value) <= 64_800 ? value : null;

/** Whether a member came with a value that the field's type did not take. An empty text counts as none (service-facts §2.4). */
const lost = (sent: unknown, taken: unknown): boolean => taken === null && sent !== undefined && sent !== null && sent !== '';

/** How samples of a shape carry their values: takes them from a sample, and says which members of it were used and which did not fit. */
interface Measures {
  /** Adds the sample's values; returns how many members of the sample it knows, or -1 where one of them did not fit. */
  take(sample: Sample): number;
  /** Paths of members and the values as sent, for what {@link take} could not fit. */
  misfits(sample: Sample): readonly (readonly [string, unknown])[];
  fields(): Record<string, unknown>;
}

function singleValue(): Measures {
  const ends = new PerSample<number>();
  const values = new PerSample<number>();
  return {
    take: (sample) => {
      const end = typeof sample.end === 'string' ? parseInstant(sample.end) : Number.NaN;
      const value = number(sample.value);
      ends.push(Number.isNaN(end) ? null : end);
      values.push(value);
      if ((Number.isNaN(end) && sample.end !== undefined && sample.end !== null) || lost(sample.value, value)) return -1;
      return (sample.end === undefined ? 0 : 1) + (sample.value === undefined ? 0 : 1);
    },
    misfits: (sample) => [
      ['end', typeof sample.end === 'string' && !Number.isNaN(parseInstant(sample.end)) ? undefined : sample.end],
      ['value', number(sample.value) === null ? sample.value : undefined],
    ],
    fields: () => ({ end_at: ends.values(), value: values.values() }),
  };
}

function groupingText({ grouping = null }: Sample): string | null {
  return grouping === null || unkeepable(grouping) !== undefined ? null : jsonText(grouping);
}

function bloodPressure(): Measures {
  const systolic = new PerSample<number>();
  const diastolic = new PerSample<number>();
  const grouping = new PerSample<string>();
  return {
    take: (sample) => {
      const high = number(sample.systolic);
      const low = number(sample.diastolic);
      systolic.push(high);
      diastolic.push(low);
      const group = groupingText(sample);
      grouping.push(group);
      if (lost(sample.grouping, group) || lost(sample.systolic, high) || lost(sample.diastolic, low)) return -1;
      return (
        (sample.systolic === undefined ? 0 : 1) +
        (sample.diastolic === undefined ? 0 : 1) +
        (sample.grouping === undefined ? 0 : 1)
      );
    },
    misfits: (sample) => [
      ['systolic', number(sample.systolic) === null ? sample.systolic : undefined],
      ['diastolic', number(sample.diastolic) === null ? sample.diastolic : undefined],
      ['grouping', groupingText(sample) === null ? sample.grouping : undefined],
    ],
    fields: () => ({ systolic_mmhg: systolic.values(), diastolic_mmhg: diastolic.values(), grouping: grouping.values() }),
  };
}

const shapes = {
  timeseries: {
    measures: singleValue,
    known: new Set(['timestamp', 'start', 'end', 'timezone_offset', 'type', 'unit', 'value']),
  },
  blood_pressure: {
    measures: bloodPressure,
    known: new Set(['timestamp', 'start', 'timezone_offset', 'type', 'unit', 'systolic', 'diastolic', 'grouping']),
  },
} as const;

/** Everything of a sample that is out of the ordinary, as the JSON of `sample_extra`; the slow path. */
function remainder(sample: Sample, index: number, batch: Batch, measures: Measures, known: ReadonlySet<string>): string | null {
  const leftovers: Leftovers = { extra: undefined, refused: batch.refused };
  for (const [member, value] of Object.entries(sample)) {
    if (!known.has(member) && value !== null) keep(leftovers, member, value);
  }
  const misfit = (member: string, sent: unknown, taken: unknown): void => {
    if (!lost(sent, taken)) return;
    if (keep(leftovers, member, sent))
      batch.refused.push({ reason: 'value_does_not_fit', place: `data.data[${index}].${member}` });
  };
  for (const [member, sent] of measures.misfits(sample)) misfit(member, sent, null);
  misfit('type', sample.type, text(sample.type));
  misfit('unit', sample.unit, text(sample.unit));
  misfit('timezone_offset', sample.timezone_offset, offsetSeconds(sample.timezone_offset));
  if (batch.floating && offsetSeconds(sample.timezone_offset) !== null)
    keep(leftovers, 'timezone_offset', sample.timezone_offset);
  if (sample.start !== undefined && sample.start !== null && sample.timestamp !== undefined && sample.timestamp !== null) {
    // The deprecated timestamp of an interval repeats its start; where it does not, it says something else.
    if (typeof sample.timestamp !== 'string' || parseInstant(sample.timestamp) !== batch.starts.at(-1))
      keep(leftovers, 'timestamp', sample.timestamp);
  }
  return extraText(leftovers);
}

/** The moment of a sample: `start`, else `timestamp`; NaN where neither can be read. */
function startOf(sample: Sample): number {
  const start = typeof sample.start === 'string' ? parseInstant(sample.start) : Number.NaN;
  return Number.isNaN(start) && typeof sample.timestamp === 'string' ? parseInstant(sample.timestamp) : start;
}

function readSamples(samples: readonly unknown[], batch: Batch, measures: Measures, known: ReadonlySet<string>): void {
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] as Sample;
    if (!isObject(sample)) {
      batch.refused.push({ reason: 'sample_not_an_object', place: `data.data[${index}]` });
      continue;
    }
    const start = startOf(sample);
    if (Number.isNaN(start)) {
      batch.refused.push({ reason: 'sample_without_time', place: `data.data[${index}]` });
      continue;
    }
    batch.starts.push(start);
    const offset = offsetSeconds(sample.timezone_offset);
    const type = text(sample.type);
    const unit = text(sample.unit);
    batch.offsets.push(batch.floating ? null : offset);
    batch.types.push(type);
    batch.units.push(unit);
    const used = measures.take(sample);
    const plain =
      used >= 0 &&
      (sample.start === undefined || sample.timestamp === undefined) &&
      !(batch.floating && offset !== null) &&
      !lost(sample.timezone_offset, offset) &&
      !lost(sample.type, type) &&
      !lost(sample.unit, unit) &&
      memberCount(sample) ===
        used +
          1 +
          (sample.timezone_offset === undefined ? 0 : 1) +
          (sample.type === undefined ? 0 : 1) +
          (sample.unit === undefined ? 0 : 1);
    batch.extras.push(plain ? null : remainder(sample, index, batch, measures, known));
  }
}

/** The reader of a timeseries stream. A batch needs an array of samples, a sample a time; nothing else is demanded. */
export function timeseriesReader<S extends 'timeseries' | 'blood_pressure'>(stream: S): Reader<S> {
  const schema = streamSchemas[stream];
  const plan = planOf(schema, '$.data', [], ['data', ...originMembers]);
  const revision = schema.aorta.revision;
  const { measures: measuresOf, known } = shapes[stream];

  return (eventType: string, body: unknown, receipt: Receipt): Reading<S> => {
    const envelope = readEnvelope(eventType, body);
    if (envelope.kind === 'refused') return envelope;
    const resource = resourceOf(eventType);
    if (resource === undefined) return { kind: 'refused', reason: 'no_resource', place: 'event_type' };
    const { event, data, leftovers } = envelope;
    const samples = data.data;
    if (!Array.isArray(samples)) return { kind: 'refused', reason: 'no_samples', place: 'data.data' };

    const origin = readOrigin(data, leftovers);
    const basis = timeBasis(origin.provider);
    const batch: Batch = {
      floating: basis === 'floating',
      starts: [],
      offsets: new PerSample(),
      types: new PerSample(),
      units: new PerSample(),
      extras: new PerSample(),
      refused: leftovers.refused,
    };
    const measures = measuresOf();
    readSamples(samples, batch, measures, known);
    const record: Record<string, unknown> = { ...plan.empty };
    Object.assign(record, { receipt, event, reader: revision, resource, origin, time_basis: basis });
    readFields(plan, data, 'data', record, leftovers);
    record.start_at = batch.starts;
    record.timezone_offset_s = batch.offsets.values();
    Object.assign(record, measures.fields());
    record.sample_type = batch.types.values();
    record.unit = batch.units.values();
    record.sample_extra = batch.extras.values();
    record.extra = extraText(leftovers);
    return { kind: 'record', record: record as unknown as StreamRecords[S], refused: batch.refused };
  };
}
