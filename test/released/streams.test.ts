import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codecOf, learnSchema, type StreamName, streamNames, streamSchemas } from '@aorta/schemas';
import avsc from 'avsc';
import { describe, expect, test } from 'vitest';
import { example } from '../../schemas/codec/example.fixture.ts';
import type { AvroRecord, FieldDeclaration } from '../../schemas/streams/declaration.ts';
import { asReadBy, type Fields } from './as-read-by.ts';
import { acceptedBreaks, breaks, sameOnTheWire } from './compatibility.ts';
import { folder, frozenVersions, readReleases, readVersion } from './released.ts';

/**
 * Compares the current declaration of each stream with its released versions. The current declaration must read records of a
 * released version, and the released version must read current records.
 */

const typeOf = (schema: AvroRecord) => avsc.Type.forSchema(schema as never, { wrapUnions: 'never' } as never);

test('npm run freeze has been run for every release in the changelog', () => {
  const changelog = readFileSync(join(folder, '../../CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version!);
  expect(Object.keys(readReleases()).sort()).toEqual(released.sort());
  for (const version of released) {
    const script = readFileSync(join(folder, 'warehouse', `${version}.sql`), 'utf8');
    expect(script).toMatch(/insert into control\.batches/);
  }
});

test('every released stream still exists', () => {
  const released = new Set(Object.values(readReleases()).flatMap((streams) => Object.keys(streams)));
  expect([...released].filter((stream) => !streamNames.includes(stream as StreamName))).toEqual([]);
});

describe.each(frozenVersions())('$stream v$version', ({ stream: name, version, schema, golden }) => {
  const stream = name as StreamName;
  const codec = codecOf(stream);
  const present = streamSchemas[stream];
  const released = typeOf(schema);

  const broken = acceptedBreaks[`${name} v${version}`] ?? [];

  test('the current and the released declaration are compatible, except for accepted breaking changes', () => {
    expect(breaks(schema, present)).toEqual(broken);
    // Check this with the Avro library too. After an accepted breaking change, only the current declaration must be able to
    // read the records of the other.
    typeOf(present).createResolver(released);
    if (broken.length === 0) released.createResolver(typeOf(present));
  });

  test('the current declaration reads records of the released version, and new fields get their defaults', () => {
    learnSchema(JSON.stringify(schema));
    for (const { record, encoded } of golden) {
      const bytes = Buffer.from(encoded, 'hex');
      const written = released.fromString(JSON.stringify(record)) as Fields;
      const expected = asReadBy(present, schema, written);
      expect(codec.decode(bytes)).toEqual(expected);
      expect(codec.decoderOf(JSON.stringify(schema))(bytes, 10)).toEqual({ value: expected, offset: bytes.length });
    }
  });

  if (broken.length === 0)
    test('a process that still uses the released declaration can read current records', () => {
      const resolver = released.createResolver(typeOf(present));
      for (const seed of [1, 2, 3]) {
        const record = example(stream, seed);
        const bytes = codec.encode(record as never).subarray(10);
        expect(released.fromBuffer(bytes, resolver, true)).toEqual(asReadBy(schema, present, record));
      }
    });
});

test('every accepted breaking change belongs to a released version', () => {
  const all = frozenVersions().map(({ stream, version }) => `${stream} v${version}`);
  expect(Object.keys(acceptedBreaks).filter((name) => !all.includes(name))).toEqual([]);
});

describe('compatibility of declarations', () => {
  const long: FieldDeclaration = { name: 'a', type: 'long', doc: '', unit: 's' };
  const optional: FieldDeclaration = { name: 'b', type: ['null', 'string'], default: null, doc: '' };
  const objects = (fields: readonly FieldDeclaration[]): FieldDeclaration => ({
    name: 'list',
    type: { type: 'array', items: { type: 'record', name: 'Item', doc: '', fields } },
    default: [],
    doc: '',
  });
  const record = (...fields: FieldDeclaration[]): AvroRecord => ({ type: 'record', name: 'R', doc: '', fields });

  test.each<[string, AvroRecord, AvroRecord, string[]]>([
    ['a new field with a default', record(long), record(long, optional), []],
    ['a new list', record(long), record(objects([long]), long), []],
    ['a different order of fields', record(long, optional), record(optional, long), []],
    ['a new field of a list’s objects', record(objects([long])), record(objects([long, optional])), []],
    ['a different doc, class and source', record(long), record({ ...long, doc: 'other', class: 'location', source: '$.x' }), []],
    ['a new field without a default', record(optional), record(optional, long), ['R.a is new and has no default']],
    ['a removed field', record(long, optional), record(long), ['R.b is gone']],
    ['a wider type', record({ ...long, type: 'int' }), record(long), ['R.a has a different type']],
    ['a field that becomes nullable', record(long), record({ ...long, type: ['null', 'long'] }), ['R.a has a different type']],
    [
      'an instant in place of a number',
      record(long),
      record({ ...long, type: { type: 'long', logicalType: 'timestamp-micros' } }),
      ['R.a has a different type'],
    ],
    ['a different unit', record(long), record({ ...long, unit: 'ms' }), ['R.a has a different unit']],
    ['a different default', record(optional), record({ ...optional, default: '' }), ['R.b has a different default']],
    ['a removed field of a list’s objects', record(objects([long, optional])), record(objects([long])), ['R.list[].b is gone']],
    [
      'a list of a different type',
      record(objects([long])),
      record({ ...objects([]), type: { type: 'array', items: 'long' } }),
      ['R.list[] has a different type'],
    ],
    ['a different name', record(long), { ...record(long), name: 'S' }, ['R is now called S']],
  ])('%s', (_, was, is, expected) => {
    expect(breaks(was, is)).toEqual(expected);
  });

  test('a change to an encoding or unit requires a new version, but a change to the documentation does not', () => {
    expect(sameOnTheWire(record(long, optional), record({ ...long, doc: 'other' }, optional))).toBe(true);
    expect(sameOnTheWire(record(long), record(long, optional))).toBe(false);
    expect(sameOnTheWire(record(long, optional), record(optional, long))).toBe(false);
    expect(sameOnTheWire(record(long), record({ ...long, unit: 'ms' }))).toBe(false);
  });

  test('every released version of a declaration except the first differs from the previous one', () => {
    for (const { stream, version, schema } of frozenVersions())
      if (version > 1) expect(sameOnTheWire(readVersion(stream, version - 1).schema, schema), stream).toBe(false);
  });
});
