import type { Alternatives, EventFacts, Field, Scalar, Type } from './catalogue.ts';

/**
 * Generates valid events from the catalogue's facts. Every value in an event is unique, so a test can recognize it in a wrong
 * column or in printed text. The same facts and number always give the same event.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

export interface GeneratedEvent {
  readonly facts: EventFacts;
  /** The variant, for test messages: `full`, `minimal`, `nulls` or the name of a retired event format. */
  readonly variant: string;
  readonly body: JsonObject;
}

/** A mark in every string of a generated event, and in no other string. */
export const MARK = 'Zq7x';
/** The prefix of every identifier in a generated event. */
export const IDENTIFIER_MARK = '2a7e51c4-';

interface Options {
  /** Selects one of several types that a value can have: the type at index `branch`, modulo the number of types. */
  readonly branch: number;
  /** Whether the event contains optional fields. */
  readonly optional: boolean;
  /** Whether nullable values are null. */
  readonly nulls: boolean;
}

/** Providers that send local time as UTC. Aorta ignores their UTC offsets. Other tests check this. */
const floating = new Set<string | number>(['freestyle_libre', 'abbott_libreview']);

const ISO_DATE = 10;

class Generator {
  readonly #event: number;
  readonly #options: Options;
  #count = 0;

  constructor(event: number, options: Options) {
    this.#event = event;
    this.#options = options;
  }

  object(fields: readonly Field[]): JsonObject {
    const chosen = fields.filter(({ optional }) => !optional || this.#options.optional);
    const entries = chosen.map((field): [string, unknown] => [field.name, this.#named(field)]);
    return agreeing(Object.fromEntries(entries));
  }

  /** Uses one identifier for the user and another for the team throughout the event. */
  #named(field: Field): unknown {
    if (field.name === 'user_id') return this.#identifier(1);
    if (field.name === 'team_id') return this.#identifier(2);
    return this.#place(field, field.name);
  }

  #place({ types, nullable }: Alternatives, name: string): unknown {
    if (nullable && this.#options.nulls) return null;
    return this.#value(types[this.#options.branch % types.length]!, name);
  }

  #value(type: Type, name: string): unknown {
    switch (type.kind) {
      case 'scalar':
        return this.#scalar(type.scalar, name);
      case 'constant':
        return type.value;
      case 'enumeration': {
        const values = type.values.filter((value) => !floating.has(value));
        return values[this.#next() % values.length];
      }
      case 'object':
        return this.object(type.fields);
      case 'tuple':
        return type.members.map((member) => this.#place(member, name));
      case 'list':
        return Array.from({ length: this.#options.optional ? 2 : 1 }, () => this.#place(type.items, name));
      case 'map': {
        if (!this.#options.optional) return {};
        const keys = type.keys?.slice(0, 2) ?? [`${MARK} ${name} a`, `${MARK} ${name} b`];
        return Object.fromEntries(keys.map((key) => [key, this.#place(type.values, name)]));
      }
    }
  }

  #scalar(scalar: Scalar, name: string): unknown {
    const count = this.#next();
    switch (scalar) {
      case 'text':
        return `${MARK} ${name} ${this.#event}-${count} "é"\\`;
      case 'uuid':
        return this.#identifier(100 + count);
      case 'date':
        return moment(this.#event, count).slice(0, ISO_DATE);
      case 'instant':
        return `${moment(this.#event, count)}.${String(100_000 + count).slice(-6)}+00:00`;
      case 'integer':
        return 1000 + (this.#event % 40) * 1000 + count;
      case 'number':
        // A value between 10 and 80 is valid both as a latitude and as a weight. It uses the full precision of a double.
        return 10 + (this.#event % 70) + (count + 0.1) / 4093;
      case 'boolean':
        return count % 2 === 0;
      case 'any':
        return [`${MARK} ${count}`, count + 0.25, { [`${MARK} key`]: [count, null] }, null, true][count % 5];
    }
  }

  #identifier(number: number): string {
    return `${IDENTIFIER_MARK}${hex(this.#event, 4)}-4000-8000-${hex(number, 12)}`;
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

/** Returns a time, to the second, that occurs nowhere else in the event. */
function moment(event: number, count: number): string {
  return new Date(Date.UTC(2024, 0, 1) + (event % 365) * 86_400_000 + count * 61_000).toISOString().slice(0, 19);
}

/** Gives equal values to fields with the same meaning: `timestamp` and `start` of a sample, `slug` and `provider` of a source. */
function agreeing(object: JsonObject): JsonObject {
  const { source, provider } = object as { source?: { slug?: unknown }; provider?: { slug?: unknown } };
  return {
    ...object,
    ...('timestamp' in object && 'start' in object ? { timestamp: object.start } : {}),
    ...('slug' in object && 'provider' in object ? { slug: object.provider } : {}),
    ...(source?.slug !== undefined && provider?.slug !== undefined ? { provider: { ...provider, slug: source.slug } } : {}),
  };
}

function generated(facts: EventFacts, number: number, variant: string, options: Options): GeneratedEvent {
  return { facts, variant, body: { event_type: facts.type, ...new Generator(number, options).object(facts.fields) } };
}

/** Returns an event with all fields, including the optional ones. */
export function fullEvent(facts: EventFacts, number: number, variant = 'full', branch = 0): GeneratedEvent {
  return generated(facts, number, variant, { branch, optional: true, nulls: false });
}

/** Returns an event with the required fields only. */
export function minimalEvent(facts: EventFacts, number: number): GeneratedEvent {
  return generated(facts, number, 'minimal', { branch: 0, optional: false, nulls: false });
}

/** Returns an event with null in every nullable field. */
export function nullsEvent(facts: EventFacts, number: number): GeneratedEvent {
  return generated(facts, number, 'nulls', { branch: 0, optional: true, nulls: true });
}

/** Returns the largest number of alternative types that any field has. This many full events cover all alternatives. */
export function branchesOf(facts: EventFacts): number {
  const ofType = (type: Type): number => {
    if (type.kind === 'object') return Math.max(1, ...type.fields.map(ofPlace));
    if (type.kind === 'tuple') return Math.max(1, ...type.members.map(ofPlace));
    if (type.kind === 'list') return ofPlace(type.items);
    return type.kind === 'map' ? ofPlace(type.values) : 1;
  };
  const ofPlace = ({ types }: Alternatives): number => Math.max(types.length, ...types.map(ofType));
  return Math.max(1, ...facts.fields.map(ofPlace));
}
