import {
  type Column,
  type ColumnType,
  type ElementField,
  elementFields,
  type StreamName,
  type StreamRecords,
  type ValueType,
} from '@aorta/schemas';
import type { LandingSchema } from '../sql/landing.ts';

const DAY = 86_400_000_000;
const MINUTE = 60_000_000;
const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

type AnyRecord = StreamRecords[StreamName];

/** Number of characters after which the text is encoded as bytes. */
const CHUNK = 1 << 18;

/** Cache of the JSON text of strings in samples, such as units and types. Few different strings occur, each thousands of times. */
const known = new Map<string, string>();

/** Writes a string as JSON. A lone surrogate cannot be encoded in UTF-8 and becomes U+FFFD. */
function stringText(value: string): string {
  return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed());
}

function fewText(value: string): string {
  let written = known.get(value);
  if (written === undefined) {
    written = stringText(value);
    if (known.size >= 1000) known.clear();
    if (value.length < 100) known.set(value, written);
  }
  return written;
}

/** Writes an integer. Beyond 2^53 it is written as a string, which BigQuery parses exactly. */
function integerText(value: unknown): string {
  return typeof value === 'bigint' || !Number.isSafeInteger(value) ? `"${integerOf(value)}"` : `${value}`;
}

function integerOf(value: unknown): string {
  return typeof value === 'bigint' ? `${value}` : BigInt(value as number).toString();
}

type Write = (value: never) => string;

const days = new Map<number, string>();

function dateText(day: number): string {
  let written = days.get(day);
  if (written === undefined) {
    const date = new Date(day * 86_400_000);
    written = `${String(date.getUTCFullYear()).padStart(4, '0')}-${two[date.getUTCMonth() + 1]}-${two[date.getUTCDate()]}`;
    // Most samples fall on a few days. Clearing a full cache only means that some days are formatted again.
    if (days.size >= 20_000) days.clear();
    days.set(day, written);
  }
  return written;
}

let lastMinute = Number.NaN;
let lastPrefix = '';

/** Formats microseconds since 1970 for BigQuery: `2026-11-21T08:00:00.123456Z`. The fraction is left out if it is zero. */
export function instantText(micros: number): string {
  // Consecutive samples often lie in the same minute, so its text is cached.
  const minute = Math.floor(micros / MINUTE);
  if (minute !== lastMinute) {
    const day = Math.floor(micros / DAY);
    const inDay = minute - day * 1440;
    lastPrefix = `${dateText(day)}T${two[Math.floor(inDay / 60)]}:${two[inDay % 60]}:`;
    lastMinute = minute;
  }
  const rest = micros - minute * MINUTE;
  const second = Math.floor(rest / 1e6);
  const fraction = rest - second * 1e6;
  return fraction === 0 ? `${lastPrefix}${two[second]}Z` : `${lastPrefix}${two[second]}.${String(fraction).padStart(6, '0')}Z`;
}

const writers: Readonly<Record<ValueType, Write>> = {
  string: stringText as Write,
  json: stringText as Write,
  int64: integerText as Write,
  float64: ((value: number) => `${value}`) as Write,
  bool: ((value: boolean | number) => (value === true || value === 1 ? 'true' : 'false')) as Write,
  timestamp: ((value: number) => `"${instantText(value)}"`) as Write,
  date: ((value: number) => `"${dateText(value)}"`) as Write,
};

function writerOf(type: ColumnType): (value: unknown) => string {
  if (typeof type === 'string') return writers[type] as (value: unknown) => string;
  const fields = elementFields(type);
  const element = fields === undefined ? (writers[type.list as ValueType] as (value: unknown) => string) : objectWriter(fields);
  return (value) => {
    const list = value as readonly unknown[];
    let written = '[';
    for (let index = 0; index < list.length; index++) written += (index === 0 ? '' : ',') + element(list[index]);
    return `${written}]`;
  };
}

function objectWriter(fields: readonly ElementField[]): (value: unknown) => string {
  const parts = fields.map(({ name, type }) => ({
    name,
    head: `${JSON.stringify(name)}:`,
    write: writers[type] as (value: unknown) => string,
  }));
  return (value) => {
    const element = value as Readonly<Record<string, unknown>>;
    let written = '';
    for (const { name, head, write } of parts) {
      const field = element[name];
      if (field !== null && field !== undefined) written += (written === '' ? '' : ',') + head + write(field);
    }
    return `{${written}}`;
  };
}

/** Serialises records of a stream into lines of its landing table, one line per event. */
export class Serialiser {
  readonly #columns: readonly {
    readonly head: string;
    readonly read: (record: AnyRecord) => unknown;
    readonly write: (value: unknown) => string;
  }[];
  readonly #samples:
    | readonly { readonly name: string; readonly head: string; readonly write: (value: unknown) => string }[]
    | undefined;
  #text = '';
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(schema: Pick<LandingSchema, 'columns' | 'samples'>) {
    this.#columns = schema.columns.map(({ name, type, value }) => ({
      head: `${JSON.stringify(name)}:`,
      read: value,
      write: writerOf(type),
    }));
    this.#samples = schema.samples?.map(({ name, type }: Column) => ({
      name,
      head: `${JSON.stringify(name)}:`,
      write: type === 'string' ? (fewText as (value: unknown) => string) : writerOf(type),
    }));
  }

  add(record: AnyRecord): void {
    let line = '{';
    for (const { head, read, write } of this.#columns) {
      const value = read(record);
      if (value !== null && value !== undefined) line += (line.length === 1 ? '' : ',') + head + write(value);
    }
    if (this.#samples !== undefined)
      line += this.#samplesOf(record as unknown as Record<string, readonly unknown[]>, line.length === 1);
    this.#text += `${line}}\n`;
    if (this.#text.length >= CHUNK) this.#cut();
  }

  /** Writes the samples of an event. Values shared by all samples are formatted once. */
  #samplesOf(record: Readonly<Record<string, readonly unknown[]>>, first: boolean): string {
    const count = record.start_at!.length;
    let constant = '';
    const heads: string[] = [];
    const writes: ((value: unknown) => string)[] = [];
    const arrays: (readonly unknown[])[] = [];
    for (const { name, head, write } of this.#samples!) {
      const values = record[name]!;
      if (values.length === 1) {
        const [value] = values;
        if (value !== null && value !== undefined) constant += `,${head}${write(value)}`;
      } else if (values.length > 1) {
        heads.push(head);
        writes.push(write);
        arrays.push(values);
      }
    }
    let written = '';
    for (let index = 0; index < count; index++) {
      let sample = '';
      for (let column = 0; column < arrays.length; column++) {
        const value = arrays[column]![index];
        if (value !== null && value !== undefined) sample += `,${heads[column]!}${writes[column]!(value)}`;
      }
      // Every member begins with a comma, so the first comma is removed.
      written += `${index === 0 ? '{' : ',{'}${(sample + constant).slice(1)}}`;
    }
    return `${first ? '' : ','}"_samples":[${written}]`;
  }

  #cut(): void {
    const chunk = Buffer.from(this.#text);
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#text = '';
  }

  /** Bytes written so far, without the last, incomplete chunk. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns everything added since the last call. */
  take(): { readonly body: readonly Uint8Array[]; readonly bytes: number } {
    if (this.#text !== '') this.#cut();
    const taken = { body: this.#chunks, bytes: this.#bytes };
    this.#chunks = [];
    this.#bytes = 0;
    return taken;
  }
}
