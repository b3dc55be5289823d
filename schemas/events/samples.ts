import type { SampleFields, StreamRecords } from '../streams/streams.generated.ts';
import { extraText, isObject, keep, type Leftovers } from './fields.ts';
import { GREATEST_LONG, isBeyondRange, LEAST_LONG, parseInstant } from './instant.ts';
import { jsonText, pathName, unkeepable } from './json-text.ts';
import type { Refusal, RefusedPart } from './read-result.ts';
import { type SampleMember, type TimeseriesStream, timeseriesResources } from './resource.ts';

// Do not split this module: V8 inlines fewer calls across modules, so reading samples would be 4 % slower.

/** A sample as the service sends it. Any member may be missing or have the wrong type. */
interface Sample extends Readonly<Partial<Record<SampleMember, unknown>>> {
  readonly id?: unknown;
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
  readonly tags?: unknown;
}

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null;
const number = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);
/** Returns the value if it is a whole number that avsc encodes exactly, or null. */
const long = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= LEAST_LONG && value <= GREATEST_LONG ? value : null;
/** Returns the UTC offset in seconds, or null if it is invalid. An offset of more than 18 hours would shift the local date. */
const offsetSeconds = (value: unknown): number | null =>
  typeof value === 'number' && value === (value | 0) && Math.abs(value) <= 64_800 ? value : null;
/** Returns the instant in microseconds since 1970, or NaN if the value is not an instant. */
const instant = (value: unknown): number => (typeof value === 'string' ? parseInstant(value) : Number.NaN);
/** Returns the instant in microseconds since 1970, or null if the value is not an instant. */
const moment = (value: unknown): number | null => {
  const at = instant(value);
  return Number.isNaN(at) ? null : at;
};

/** True if the event contains a value that does not fit its field. An empty string counts as missing. */
const lost = (sent: unknown, taken: unknown): boolean => taken === null && sent !== undefined && sent !== null && sent !== '';

/**
 * Collects the values of one field for all samples of a batch, in the compact form that the stream stores. The array is
 * empty if no sample has a value. It has a single entry if all samples have the same value, or else one entry per sample.
 * Most fields are constant within a batch, so this makes a record a third smaller and faster to write.
 */
export class PerSample<T> {
  #first: T | null = null;
  #items: (T | null)[] | undefined;
  #count = 0;

  push(value: T | null): void {
    if (this.#items !== undefined) this.#items.push(value);
    else if (this.#count === 0) this.#first = value;
    else if (value !== this.#first) {
      const items = new Array<T | null>(this.#count).fill(this.#first);
      items.push(value);
      this.#items = items;
    }
    this.#count++;
  }

  values(): (T | null)[] {
    if (this.#items !== undefined) return this.#items;
    return this.#count === 0 || this.#first === null ? [] : [this.#first];
  }
}

/** Returns the value of sample `index` from an array that {@link PerSample} has created. */
export function sampleValue<T>(values: readonly T[], index: number): T | null {
  return values.length > 1 ? values[index]! : (values[0] ?? null);
}

export interface Batch {
  readonly floating: boolean;
  readonly starts: number[];
  readonly offsets: PerSample<number>;
  readonly types: PerSample<string>;
  readonly units: PerSample<string>;
  readonly ids: PerSample<number>;
  readonly extras: PerSample<string>;
  readonly refused: RefusedPart[];
}

/** The per-sample fields that all timeseries streams have. */
export type CommonSampleField = SampleFields['timeseries'] & SampleFields['blood_pressure'] & SampleFields['notes'];
/** The per-sample fields of a stream that are not common to all timeseries streams. */
export type MeasureFields<S extends TimeseriesStream> = Pick<
  StreamRecords[S],
  Exclude<SampleFields[S], CommonSampleField> & keyof StreamRecords[S]
>;

/** Collects the values of the samples in a batch. */
interface SampleTaker {
  /** Adds the values of a sample. Returns how many members it read, or -1 if the value of one does not fit its field. */
  take(sample: Sample): number;
  /** Returns the members that `take` reads. Each has its value as sent, or undefined if the value fits its field. */
  misfits(sample: Sample): readonly (readonly [string, unknown])[];
}

interface Measures<S extends TimeseriesStream> extends SampleTaker {
  fields(): MeasureFields<S>;
}

/** The additional members of a batch whose resource declares none. All lists are empty. */
const noMembers: Readonly<Record<SampleMember, (string | null)[]>> = {
  sensor_location: [],
  intensity: [],
  delivery_mode: [],
  delivery_form: [],
  bolus_purpose: [],
};

function singleValue(): Measures<'timeseries'> {
  const ends = new PerSample<number>();
  const values = new PerSample<number>();
  return {
    take: (sample) => {
      const end = moment(sample.end);
      const value = number(sample.value);
      ends.push(end);
      values.push(value);
      if (lost(sample.end, end) || lost(sample.value, value)) return -1;
      return (sample.end === undefined ? 0 : 1) + (sample.value === undefined ? 0 : 1);
    },
    misfits: (sample) => [
      ['end', moment(sample.end) === null ? sample.end : undefined],
      ['value', number(sample.value) === null ? sample.value : undefined],
    ],
    fields: () => ({ end_at: ends.values(), value: values.values(), ...noMembers }),
  };
}

/** Collects the value of each sample and the additional members that its resource declares. */
function valueWith(members: readonly SampleMember[]): () => Measures<'timeseries'> {
  return () => {
    const value = singleValue();
    const columns = members.map((member) => ({ member, texts: new PerSample<string>() }));
    return {
      take: (sample) => {
        let used = value.take(sample);
        for (const { member, texts } of columns) {
          const sent = sample[member];
          const taken = text(sent);
          texts.push(taken);
          if (lost(sent, taken)) used = -1;
          else if (used >= 0 && sent !== undefined) used++;
        }
        return used;
      },
      misfits: (sample) => [
        ...value.misfits(sample),
        ...members.map((member) => [member, text(sample[member]) === null ? sample[member] : undefined] as const),
      ],
      fields: () => {
        const fields = value.fields();
        for (const { member, texts } of columns) fields[member] = texts.values();
        return fields;
      },
    };
  };
}

function groupingText({ grouping = null }: Sample): string | null {
  return grouping === null || unkeepable(grouping) !== undefined ? null : jsonText(grouping);
}

function bloodPressure(): Measures<'blood_pressure'> {
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

/** Returns the text of a note, or null if the value is not a valid string. Unlike other strings, the text may be empty. */
const written = (value: unknown): string | null => (typeof value === 'string' && value.isWellFormed() ? value : null);

/** Returns a list of strings as JSON, or null if an element is not a string. `sample_extra` then keeps the list as sent. */
const tagList = (value: unknown): string | null =>
  Array.isArray(value) && value.every((tag) => typeof tag === 'string' && tag.isWellFormed()) ? jsonText(value) : null;

function note(): Measures<'notes'> {
  const ends = new PerSample<number>();
  const texts = new PerSample<string>();
  const tags = new PerSample<string>();
  return {
    take: (sample) => {
      const end = moment(sample.end);
      const content = written(sample.value);
      const list = tagList(sample.tags);
      ends.push(end);
      texts.push(content);
      tags.push(list);
      if (lost(sample.end, end) || lost(sample.value, content)) return -1;
      if (lost(sample.tags, list)) return -1;
      return (sample.end === undefined ? 0 : 1) + (sample.value === undefined ? 0 : 1) + (sample.tags === undefined ? 0 : 1);
    },
    misfits: (sample) => [
      ['end', moment(sample.end) === null ? sample.end : undefined],
      ['value', written(sample.value) === null ? sample.value : undefined],
      ['tags', tagList(sample.tags) === null ? sample.tags : undefined],
    ],
    fields: () => ({ end_at: ends.values(), text: texts.values(), tags: tags.values() }),
  };
}

/** How to read the samples of a resource. `known` has the names of all known members. */
interface SampleShape<S extends TimeseriesStream> {
  readonly measures: () => Measures<S>;
  readonly known: ReadonlySet<string>;
}

const usual = ['id', 'timestamp', 'start', 'timezone_offset', 'type', 'unit'] as const;

const shapes: { readonly [S in TimeseriesStream]: SampleShape<S> } = {
  timeseries: { measures: singleValue, known: new Set([...usual, 'end', 'value']) },
  blood_pressure: { measures: bloodPressure, known: new Set([...usual, 'systolic', 'diastolic', 'grouping']) },
  notes: { measures: note, known: new Set([...usual, 'end', 'value', 'tags']) },
};

/** The shapes of resources with additional members. Looking for these members in the samples of other resources would be slow. */
const shapesWithMembers: ReadonlyMap<string, SampleShape<'timeseries'>> = new Map(
  timeseriesResources.flatMap(({ resource, members }) =>
    members === undefined
      ? []
      : [[resource, { measures: valueWith(members), known: new Set([...shapes.timeseries.known, ...members]) }]],
  ),
);

export const shapeOf: { readonly [S in TimeseriesStream]: (resource: string) => SampleShape<S> } = {
  timeseries: (resource) => shapesWithMembers.get(resource) ?? shapes.timeseries,
  blood_pressure: () => shapes.blood_pressure,
  notes: () => shapes.notes,
};

interface SampleRead {
  /** Index of the sample in the event, from 0. */
  readonly index: number;
  readonly measures: SampleTaker;
  readonly known: ReadonlySet<string>;
}

/** Returns the members of a sample that are unknown or do not fit, as JSON for `sample_extra`. This is the slow path. */
function remainder(sample: Sample, batch: Batch, { index, measures, known }: SampleRead): string | null {
  const leftovers: Leftovers = { extra: undefined, refused: batch.refused };
  for (const [member, value] of Object.entries(sample)) {
    if (!known.has(member) && value !== null) keep(leftovers, pathName(member), value);
  }
  const misfit = (member: string, sent: unknown, taken: unknown): void => {
    if (!lost(sent, taken)) return;
    if (keep(leftovers, member, sent))
      batch.refused.push({ reason: 'value_does_not_fit', place: `data.data[${index}].${member}` });
  };
  for (const [member, sent] of measures.misfits(sample)) misfit(member, sent, null);
  misfit('start', sample.start, moment(sample.start));
  misfit('type', sample.type, text(sample.type));
  misfit('unit', sample.unit, text(sample.unit));
  misfit('timezone_offset', sample.timezone_offset, offsetSeconds(sample.timezone_offset));
  misfit('id', sample.id, long(sample.id));
  if (batch.floating && offsetSeconds(sample.timezone_offset) !== null)
    keep(leftovers, 'timezone_offset', sample.timezone_offset);
  if (sample.start !== undefined && sample.start !== null && sample.timestamp !== undefined && sample.timestamp !== null) {
    // The deprecated timestamp of an interval normally repeats its start. Keep it if it differs.
    if (instant(sample.timestamp) !== batch.starts.at(-1)) keep(leftovers, 'timestamp', sample.timestamp);
  }
  return extraText(leftovers);
}

/** Returns the time of a sample from `start`, or else from `timestamp`. Returns NaN if neither is a valid time. */
export function startOf(sample: Sample): number {
  const start = instant(sample.start);
  return Number.isNaN(start) ? instant(sample.timestamp) : start;
}

function whyWithoutStart({ start, timestamp }: Sample): Refusal {
  const beyond = [start, timestamp].some((time) => typeof time === 'string' && isBeyondRange(time));
  return beyond ? 'sample_time_out_of_range' : 'sample_without_time';
}

function memberCount(object: object): number {
  let count = 0;
  // for…in is safe here, because JSON.parse creates plain objects without inherited members.
  for (const _ in object) count++;
  return count;
}

/** Reads the samples of an event into `batch` and `measures`. Refuses a sample without a time. All other members are optional. */
export function readSamples(samples: readonly unknown[], batch: Batch, measures: SampleTaker, known: ReadonlySet<string>): void {
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] as Sample;
    if (!isObject(sample)) {
      batch.refused.push({ reason: 'sample_not_an_object', place: `data.data[${index}]` });
      continue;
    }
    const start = startOf(sample);
    if (Number.isNaN(start)) {
      batch.refused.push({ reason: whyWithoutStart(sample), place: `data.data[${index}]` });
      continue;
    }
    batch.starts.push(start);
    const offset = offsetSeconds(sample.timezone_offset);
    const type = text(sample.type);
    const unit = text(sample.unit);
    const id = long(sample.id);
    batch.offsets.push(batch.floating ? null : offset);
    batch.types.push(type);
    batch.units.push(unit);
    batch.ids.push(id);
    const used = measures.take(sample);
    const plain =
      used >= 0 &&
      (sample.start === undefined || sample.timestamp === undefined) &&
      !(batch.floating && offset !== null) &&
      !lost(sample.timezone_offset, offset) &&
      !lost(sample.type, type) &&
      !lost(sample.unit, unit) &&
      !lost(sample.id, id) &&
      memberCount(sample) ===
        used +
          1 +
          (sample.timezone_offset === undefined ? 0 : 1) +
          (sample.type === undefined ? 0 : 1) +
          (sample.unit === undefined ? 0 : 1) +
          (sample.id === undefined ? 0 : 1);
    batch.extras.push(plain ? null : remainder(sample, batch, { index, measures, known }));
  }
}
