import { gzipSync } from 'node:zlib';
import type { Random } from '@aorta/people';
import type { DeliveryLine } from './loaded.ts';

/**
 * Damages deliveries at random: members, strings, lists, nesting, names, numbers, dates, headers and compression. Inserted values
 * contain a mark, so that a test can recognize them in printed text.
 */

/** The mark in every string and name that a mutation inserts. */
export const PLANTED = 'Wv9k';

type Json = unknown;
type Container = Record<string, Json> | Json[];

/** A delivery before it is mutated. */
export interface Seedling {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

const oddTexts: readonly string[] = [
  '',
  ' ',
  `${PLANTED} \ud800`,
  `${PLANTED} \u0000 after`,
  `${PLANTED} \u202e\u{1f9ec}\ufeff`,
  `${PLANTED}'); drop table activity; --`,
  `${PLANTED} {"a": [1, null]}`,
  '\\',
  'null',
];
const oddDates: readonly string[] = [
  '0000-00-00',
  '0001-01-01T00:00:00Z',
  '1827-04-15T00:00:00Z',
  '1969-12-31T23:59:59.999999Z',
  '2024-02-30',
  '2024-02-29T24:00:00Z',
  '2024-12-31T23:59:60Z',
  '2024-01-01T00:00:00.123456789+14:00',
  '2255-12-31T23:59:59Z',
  '9999-12-31',
  '9999-12-31T23:59:59Z',
  '+275760-09-13T00:00:00Z',
  '1711640000',
];
/** Numbers as JSON text, because JavaScript cannot represent some of them. */
const oddNumbers: readonly string[] = [
  '-0',
  '5e-324',
  '1.7976931348623157e308',
  '-1e308',
  '1e400',
  '0.1',
  '2147483648',
  '-2147483649',
  '4503599627370497',
  '-4503599627370497',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775808',
  '123456789012345678901234567890',
];
const oddNames: readonly string[] = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'id',
  'data',
  'extra',
  `${PLANTED} \ud800`,
  `${PLANTED} \u0000`,
  `${PLANTED}."name"[*]`,
  `${PLANTED} \u{1f9ec}`,
  PLANTED.repeat(2000),
];
const LARGE = 64 * 1024;
/** Nesting depths. The largest exceed what a JSON parser or a warehouse accepts. */
const depths = [20, 500, 1100, 3000];
const eventTypes: readonly string[] = [
  '',
  `${PLANTED}.created`,
  'daily.data.glucose.created',
  'daily.data..created',
  'labtest.order.updated',
  'raw.x.y',
  'historical.data.',
];

/** Marks JSON text that a JavaScript value cannot represent, such as very deep nesting. `textOf` inserts the text into the body. */
const spelled = (json: string): string => `@json:${json}@`;

function define(object: Container, key: string | number, value: Json): void {
  // Defines the member instead of assigning it, because its name may be __proto__.
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove(container: Container, key: string | number): void {
  if (Array.isArray(container)) {
    // `splice` would read the member `constructor`, which an earlier mutation may have replaced with a value.
    container.copyWithin(Number(key), Number(key) + 1);
    container.length -= 1;
  } else delete container[key];
}

const isContainer = (value: Json): value is Container => typeof value === 'object' && value !== null;

/** Returns every member of a tree. A parent comes before its children. */
function membersOf(container: Container): (readonly [Container, string | number])[] {
  const keys: (string | number)[] = Array.isArray(container) ? [...container.keys()] : Object.keys(container);
  return keys.flatMap((key) => {
    const value = (container as Record<string | number, Json>)[key];
    return [[container, key] as const, ...(isContainer(value) ? membersOf(value) : [])];
  });
}

/** Returns JSON with the given depth of nested lists or objects. */
function nested(depth: number, random: Random): string {
  return spelled(
    random.chance(0.5) ? `${'['.repeat(depth)}0${']'.repeat(depth)}` : `${"{'a':".repeat(depth)}0${'}'.repeat(depth)}`,
  );
}

function anotherValue(random: Random): Json {
  return random.pick<() => Json>([
    () => null,
    () => random.chance(0.5),
    () => random.whole(-5, 100_000),
    () => spelled(random.pick(oddNumbers)),
    () => `${PLANTED} ${random.word()}`,
    () => random.pick(oddTexts),
    () => random.pick(oddDates),
    () => [],
    () => ({}),
    () => [null, `${PLANTED}`, 1],
    () => ({ [PLANTED]: { value: random.word() } }),
  ])();
}

function mutateMember(root: Container, random: Random): void {
  const members = membersOf(root);
  if (members.length === 0) return;
  const [container, key] = random.pick(members);
  const value = (container as Record<string | number, Json>)[key];
  const put = (other: Json): void => define(container, key, other);
  random.pick<() => void>([
    () => remove(container, key),
    () => remove(container, key),
    () => put(anotherValue(random)),
    () => put(anotherValue(random)),
    () => put(spelled(random.pick(oddNumbers))),
    () => put(random.pick(oddDates)),
    () => put(random.pick(oddTexts)),
    () => put(Array.isArray(value) ? [] : isContainer(value) ? {} : ''),
    () => Array.isArray(value) && put([...value, ...structuredClone(value)]),
    () => Array.isArray(container) && container.push(structuredClone(value)),
    () => put([value]),
    () => random.chance(0.05) && put(`${PLANTED} `.repeat(LARGE / (PLANTED.length + 1))),
    () => random.chance(0.1) && put(nested(random.pick(depths), random)),
    () => define(isContainer(value) && !Array.isArray(value) ? value : container, random.pick(oddNames), anotherValue(random)),
    () => {
      remove(container, key);
      define(container, Array.isArray(container) ? container.length : random.pick(oddNames), value);
    },
  ])();
}

function mutateHeaders(headers: Record<string, unknown>, random: Random): void {
  random.pick<() => void>([
    () => define(headers as Container, 'event-type', random.pick(eventTypes)),
    () => define(headers as Container, 'user-id', random.pick([`${PLANTED} user`, '', '\ud800', null])),
    () => define(headers as Container, 'content-encoding', random.pick(['gzip', 'GZIP ', 'br', '', 7])),
    () => define(headers as Container, random.pick(oddNames.slice(0, 4)), `${PLANTED} header`),
    () => define(headers as Container, 'idempotency-key', `${random.whole(1, 20)}`),
    () => define(headers as Container, 'team-id', { base64: Buffer.from([0xff, 0xfe]).toString('base64') }),
    () => {
      for (const name of Object.keys(headers)) delete headers[name];
    },
  ])();
}

/** Returns the JSON text of a tree. Replaces each mark with the JSON text that it contains. */
function textOf(value: Json): string {
  return JSON.stringify(value).replaceAll(/"@json:([^@"]*)@"/g, (_, json: string) => json.replaceAll("'", '"'));
}

/** Returns the damaged body: truncated, doubled, compressed, wrapped in a list, or with invalid bytes. */
function damaged(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.whole(0, bytes.length - 1);
  return random.pick<() => Buffer>([
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0x00]), bytes.subarray(at)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(`[${text}]`),
    () => gzipSync(bytes).subarray(0, at),
    () => gzipSync(bytes),
  ])();
}

/** Returns the delivery with one to four random mutations. */
export function mutate({ headers, body }: Seedling, random: Random): DeliveryLine {
  // A mutation may replace the whole body, so the body is first put into another object.
  const root = { body: structuredClone(body) };
  const altered: Record<string, unknown> = { ...headers };
  for (let count = random.whole(1, 4); count > 0; count--) {
    if (random.chance(0.05)) mutateHeaders(altered, random);
    else mutateMember(random.chance(0.02) || !isContainer(root.body) ? root : root.body, random);
  }
  const text = root.body === undefined ? 'null' : textOf(root.body);
  return { headers: altered, body: random.chance(0.02) ? damaged(text, random) : text };
}
