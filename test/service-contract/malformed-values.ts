import fc from 'fast-check';

/** Where a value is in a JSON value. */
type Place = readonly (string | number)[];

/** Returns all places in a JSON value, and one new member of each object. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    placesIn(member).map((place) => [Array.isArray(value) ? Number(name) : name, ...place]),
  );
  return [[], ...inside, ...(Array.isArray(value) ? [] : [['more']])];
}

/** Returns a copy of a JSON value with another value at a place. */
function withValue(value: unknown, [step, ...rest]: Place, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? withValue(one, rest, other) : one));
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [step]: withValue(object[step], rest, other) };
}

/** JSON text of this many nested objects or lists. JSON.stringify cannot nest as deeply. */
const nested = (levels: number, isList: boolean): string =>
  isList ? '['.repeat(levels) + ']'.repeat(levels) : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Not `true`: it would let requests wait for a clock that stands still. */
const leaf = fc.oneof(
  fc.constantFrom(null, false, 0, -1, 1.5, 1e30, -1e30, 1e308, 5e-324, 2 ** 53, -(2 ** 63)),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud83d',
    '\udc00a',
    '\ufffd',
    '\u2028',
    '%00',
    '../..',
    'null',
    '0x10',
    "';--",
    '\\u0000',
  ),
  fc.constantFrom('0000-01-01', '2999-01-01', '9999-12-31', '9999-12-31T23:59:59-23:59', '-000001-01-01', '2026-02-30'),
  fc.constantFrom('__proto__', 'constructor', 'x'.repeat(70_000)),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
);

/** JSON text of values that hardly any member accepts. */
const malformed: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: leaf.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(90, 1_100, 100_000), fc.boolean()).map((given) => nested(...given)) },
  { weight: 1, arbitrary: fc.constantFrom('1e400', '-1e400', '-0', '123456789012345678901234567890') },
  { weight: 2, arbitrary: fc.array(leaf, { maxLength: 3 }).map((list) => JSON.stringify(list)) },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(fc.oneof(fc.constantFrom('\0', '\ud83d', '', 'id'), fc.string()), leaf, { maxKeys: 3 })
      .map((object) => JSON.stringify(object)),
  },
);

/** Stands for the malformed value. */
const HERE = 'here is the malformed value';

/** The values that once led to a 5xx, or were stored and led to one later. */
const notorious = [nested(1_100, true), '"\\ud83d"', '1e30'];
/** Returns JSON texts of a value, with a notorious and a random value at each place. */
export function mutantsOf(value: unknown): string[] {
  return placesIn(value).flatMap((place, seed) => {
    const whole = JSON.stringify(withValue(value, place, HERE));
    const values = [notorious[seed % notorious.length]!, ...fc.sample(malformed, { numRuns: 1, seed })];
    return values.map((text) => whole.replace(JSON.stringify(HERE), () => text));
  });
}
