import { dateText, instant, offsetOf, timeOf } from '../api/times.ts';
import { fallbackZoneOf, type User } from '../users/users.ts';
import type { Json, Source } from './arrival.ts';
import { timeseriesOf } from './forms/sample-forms.ts';

/** How a member follows from the sample: it is this many milliseconds after the sample's time, is its value, or is a constant. */
type Rule = number | null | readonly [constant: unknown];

interface Member {
  readonly name: string;
  readonly rule: Rule;
}

const timeNames: ReadonlySet<string> = new Set(['timestamp', 'start', 'end']);
/** Members that may hold the value of a sample. The first one that is a number counts. */
const valueNames = ['value', 'systolic'];
/** Maximum length of a number in JSON, such as -1.2345678901234567e-100. */
const NUMBER_BYTES = 24;

/**
 * All members of a sample except its time and its value. Most samples of a series have the same shape. So the service stores
 * shapes only once, and a sample as a few numbers.
 */
export class Shape {
  /** JSON: the {@link Rule} of each member. */
  readonly text: string;
  /** No sample of this shape is larger than this, in bytes of JSON. */
  readonly maxBytes: number;
  readonly #members: readonly Member[];

  constructor(text: string) {
    this.text = text;
    this.#members = Object.entries(JSON.parse(text) as Record<string, Rule>).map(([name, rule]) => ({ name, rule }));
    this.maxBytes = Buffer.byteLength(JSON.stringify(this.bodyOf(0, null))) + this.#members.length * NUMBER_BYTES;
  }

  /** Returns the sample with a time (ms) and a value. */
  bodyOf(at: number, value: number | null): Json {
    const body: Record<string, unknown> = {};
    for (const { name, rule } of this.#members)
      body[name] = rule === null ? value : typeof rule === 'number' ? instant(at + rule) : rule[0];
    return body;
  }
}

const shapes = new Map<string, Shape>();
const KEPT_SHAPES = 512;

/** Returns the shape for this text. Shapes are cached, because they are few and slow to create. */
export function shapeOf(text: string): Shape {
  let shape = shapes.get(text);
  if (shape === undefined) {
    shape = new Shape(text);
    if (shapes.size >= KEPT_SHAPES) shapes.clear();
    shapes.set(text, shape);
  }
  return shape;
}

/** A sample as the service stores it. */
interface Packed {
  /** `timestamp`, or `start` of an interval, in milliseconds since 1970. */
  readonly at: number;
  readonly shape: Shape;
  /** Null if the sample has no number. */
  readonly value: number | null;
}

/** Returns the sample as events and answers contain it. */
export function bodyOf({ at, shape, value }: Packed): Json {
  return shape.bodyOf(at, value);
}

/** Packs samples. It is fast if most samples have the same shape as the one before, as those of one event do. */
export class Packer {
  #last: { readonly members: readonly Member[]; readonly shape: Shape; readonly valueName: string | undefined } | undefined;

  /**
   * Packs a sample that has a `timestamp` or a `start`. Its instants may have any spelling. Throws {@link RangeError} if one is no
   * instant.
   */
  pack(sample: Json): Packed {
    const at = timeOf(String(sample.start ?? sample.timestamp));
    if (this.#last === undefined || !this.#fits(sample, at, this.#last.members)) {
      const valueName = valueNames.find((name) => typeof sample[name] === 'number');
      const members = membersOf(sample, at, valueName);
      const rules = Object.fromEntries(members.map(({ name, rule }) => [name, rule]));
      this.#last = { members, shape: shapeOf(JSON.stringify(rules)), valueName };
    }
    const { shape, valueName } = this.#last;
    return { at, shape, value: valueName === undefined ? null : (sample[valueName] as number) };
  }

  /** Returns whether a sample has these members. If it has an object, the answer may be no although they are equal. */
  #fits(sample: Json, at: number, members: readonly Member[]): boolean {
    let index = 0;
    for (const name in sample) {
      const member = members[index];
      if (member?.name !== name || !follows(sample[name], member.rule, at)) return false;
      index += 1;
    }
    return index === members.length;
  }
}

function follows(value: unknown, rule: Rule, at: number): boolean {
  if (rule === null) return typeof value === 'number';
  if (typeof rule === 'number') return typeof value === 'string' && timeOf(value) - at === rule;
  return value === rule[0];
}

function membersOf(sample: Json, at: number, valueName: string | undefined): Member[] {
  return Object.entries(sample)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, rule: ruleOf(name, value) }));

  function ruleOf(name: string, value: unknown): Rule {
    if (name === valueName) return null;
    return timeNames.has(name) && value !== null ? timeOf(String(value)) - at : [value];
  }
}

/** A sample as the service keeps it. */
export interface Sample extends Packed {
  /** Local date, such as 2026-01-31. */
  readonly date: string;
  /** What tells apart samples of one time and source, beside the key that the service documents. */
  readonly variant: string;
}

/**
 * Returns samples of one source in the spelling of the service. If the source has no time zone, the user's fallback gives the
 * offset. Only sources with local times keep their missing offset.
 */
export function samplesOf(
  given: readonly Json[],
  resource: string,
  source: Source,
  { user, isFloating }: { user: User; isFloating: boolean },
): Sample[] {
  const zone = isFloating ? null : fallbackZoneOf(user);
  const hasTypes = timeseriesOf(resource)?.hasTypes === true;
  const workout = source.workout_id === null ? '' : ` ${source.workout_id}`;
  const packer = new Packer();
  return given.map((one) => {
    const sample = completed(one, zone);
    const { at, shape, value } = packer.pack(sample);
    const offset = sample.timezone_offset as number | null;
    const variant = hasTypes ? `${sample.type ?? ''}${workout}` : workout;
    return { at, shape, value, date: dateText(at + (offset ?? 0) * 1000), variant };
  });
}

/** Returns a sample with the members that every sample of the service has. */
function completed(given: Json, zone: string | null): Json {
  const { timestamp, start, timezone_offset: offset, type } = given;
  const isInterval = timestamp == null && start != null;
  const hasOffset = offset !== undefined && (offset !== null || zone === null);
  if (!isInterval && hasOffset && type !== undefined && type !== '') return given;
  const fallback = zone === null ? null : offsetOf(zone, timeOf(String(start ?? timestamp)));
  return {
    ...given,
    ...(isInterval ? { timestamp: start } : {}),
    timezone_offset: offset ?? fallback,
    type: type === '' ? null : (type ?? null),
  };
}

/** Splits samples into batches of at most `limit` bytes of JSON, not counting the brackets. A larger sample gets its own batch. */
export function batchesOf(samples: readonly Sample[], limit: number): Sample[][] {
  if (samples.length === 0) return [];
  // Most batches are far from the limit, so their exact size does not matter.
  if (samples.reduce((sum, { shape }) => sum + shape.maxBytes + 1, 0) <= limit) return [[...samples]];
  const batches: Sample[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const sample of samples) {
    const size = Buffer.byteLength(JSON.stringify(bodyOf(sample))) + 1;
    if (bytes + size > limit) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)!.push(sample);
    bytes += size;
  }
  return batches;
}
