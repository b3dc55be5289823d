import { landedTable, privacyOptions } from '@aorta/connectors';
import { type StreamRecords, typeName } from '@aorta/schemas';
import avsc from 'avsc';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { appendRows, BatchLayout } from '../../connectors/duckdb/batch-columns.ts';
import { Database } from '../../connectors/duckdb/database.ts';
import { landedEventColumns, plainRow } from '../../connectors/duckdb/landed-rows.ts';
import { queryValue } from '../../connectors/duckdb/query-value.ts';
import { createTable, databaseTables } from '../../connectors/duckdb/sql/create.ts';
import { insertRows, tableRows } from '../../connectors/duckdb/sql/merge-rows.ts';
import { duckDbView, duckDbViews } from '../../connectors/duckdb/views-dialect.ts';
import { listViews } from '../../connectors/warehouses/views/list.ts';
import { extraText, type JsonObject, type Leftovers, planOf, readFields } from '../../schemas/events/fields.ts';
import { tableOf } from '../../schemas/generate/tables.ts';
import type { AvroType, FieldDeclaration, StreamDeclaration } from '../../schemas/streams/declaration.ts';

/** Declares lists of every type, because no single stream has them all. Each column has the same name as its event field. */

const micros = { type: 'long', logicalType: 'timestamp-micros' };
const types: Record<string, AvroType> = {
  texts: 'string',
  longs: 'long',
  ints: 'int',
  doubles: 'double',
  flags: 'boolean',
  instants: micros as AvroType,
  days: { type: 'int', logicalType: 'date' },
};
const privacy = { class: 'measure', doc: 'A value.' } as const;
const nullable = (name: string, type: AvroType, more: object = {}): FieldDeclaration => ({
  name,
  type: ['null', type],
  default: null,
  source: `$.data.entries[*].${name}`,
  ...privacy,
  ...more,
});
const declaration: StreamDeclaration = {
  stream: 'activity',
  schema: {
    type: 'record',
    name: 'Lists',
    doc: 'Lists of everything.',
    aorta: {
      shape: 'event',
      revision: 1,
      prefixes: [],
      endings: [],
      table: 'lists',
      key: ['id'],
      order: ['_received_at', '_origin', '_offset', '_reader'],
    },
    fields: [
      { name: 'id', type: 'string', source: '$.data.id', class: 'key', doc: 'Id.' },
      ...Object.entries(types).map(([name, items]) => ({
        name,
        type: { type: 'array' as const, items },
        default: [],
        source: `$.data.${name}`,
        ...privacy,
      })),
      {
        name: 'entries',
        type: {
          type: 'array',
          items: {
            type: 'record',
            name: 'Entry',
            doc: 'An entry.',
            fields: [
              nullable('text', 'string'),
              nullable('long', 'long'),
              nullable('double', 'double'),
              nullable('flag', 'boolean'),
              nullable('taken_at', micros as AvroType),
              nullable('day', { type: 'int', logicalType: 'date' }),
              nullable('free', 'string', { json: true }),
              nullable('name', 'string', { class: 'identifier' }),
            ],
          },
        },
        default: [],
        source: '$.data.entries',
        ...privacy,
      },
      { name: 'extra', type: ['null', 'string'], default: null, json: true, class: 'extra', doc: 'The rest.' },
    ],
  },
};
const table = landedTable(tableOf(declaration)!, privacyOptions.parse({}));
const plan = planOf(declaration.schema, '$.data');
const type = avsc.Type.forSchema(JSON.parse(JSON.stringify(declaration.schema)), { wrapUnions: 'never' } as never);

const MOST = 2 ** 53 - 2;
const LEAST = -(2 ** 52);
const instantText = (value: number): string => {
  const seconds = Math.floor(value / 1_000_000);
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${String(value - seconds * 1_000_000).padStart(6, '0')}Z`;
};
const values = {
  // Quotes, backslashes, NUL and emoji could break JSON or SQL.
  text: fc.string({ unit: fc.oneof(fc.constantFrom('"', '\\', "'", '\n', '\0', 'é', '😀'), fc.string({ minLength: 1 })) }),
  long: fc.oneof(fc.integer({ min: LEAST, max: MOST }), fc.constantFrom(LEAST, MOST, 0)),
  int: fc.integer(),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  flag: fc.boolean(),
  at: fc.integer({ min: LEAST, max: MOST }).map(instantText),
  day: fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
};
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const event = fc.record(
  {
    texts: fc.array(values.text.filter((text) => text.isWellFormed())),
    longs: fc.array(values.long),
    ints: fc.array(values.int),
    doubles: fc.array(values.double),
    flags: fc.array(values.flag),
    instants: fc.array(values.at),
    days: fc.array(values.day),
    entries: fc.array(
      fc.record(
        {
          text: orNull(values.text.filter((text) => text.isWellFormed())),
          long: orNull(values.long),
          double: orNull(values.double),
          flag: orNull(values.flag),
          taken_at: orNull(values.at),
          day: orNull(values.day),
          free: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer()),
          name: fc.constant('Planted'),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Converts a value to the form that a query prints. */
const printed = (value: unknown): unknown => {
  if (typeof value === 'string') return /^\d{4}-.*\.000000Z$/.test(value) ? value.replace('.000000Z', 'Z') : value;
  return value ?? null;
};

/** Returns the row that an event must produce in the table. */
function expected(id: string, sent: Event): unknown[] {
  const whole = (list: readonly number[] | undefined) => (list ?? []).map(BigInt);
  return [
    id,
    sent.texts ?? [],
    whole(sent.longs),
    whole(sent.ints),
    sent.doubles ?? [],
    sent.flags ?? [],
    (sent.instants ?? []).map(printed),
    sent.days ?? [],
    (sent.entries ?? []).map((entry) => ({
      text: entry.text ?? null,
      long: entry.long === undefined || entry.long === null ? null : BigInt(entry.long),
      double: entry.double ?? null,
      flag: entry.flag ?? null,
      taken_at: printed(entry.taken_at),
      day: entry.day ?? null,
      free: entry.free === undefined ? null : JSON.stringify(entry.free),
    })),
  ];
}

function recordOf(data: JsonObject): Record<string, unknown> {
  const leftovers: Leftovers = { extra: undefined, refused: [] };
  const record: Record<string, unknown> = { ...plan.empty };
  readFields(plan, data, record, { path: 'data', leftovers });
  record.extra = extraText(leftovers);
  expect(leftovers).toEqual({ extra: undefined, refused: [] });
  // Encodes and decodes the record, as a stream does.
  return type.fromBuffer(type.toBuffer(record)) as Record<string, unknown>;
}

test('a list of any type has the same values in the table as in the event', async () => {
  const database = await Database.open(':memory:', {});
  const columns = landedEventColumns('activity', table, 'received');
  for (const statement of [...databaseTables([table]).map(createTable), ...listViews(duckDbViews, table, table).map(duckDbView)])
    await database.run('creating', statement);
  await database.run('creating', "set TimeZone = 'UTC'");
  await database.run('creating', 'create schema landed');
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 8 }), async (events) => {
        const rows = events.map((sent, offset) => {
          const record = recordOf(JSON.parse(JSON.stringify({ id: String(offset), ...sent })));
          const receipt = { source: 's', partition: '0', offset, received_at: 1, delivery_id: null, body_bytes: 1 };
          const envelope = { event_type: 'e', team_id: null, user_id: 'u', client_user_id: null };
          return plainRow({ receipt, event: envelope, reader: 1, ...record } as unknown as StreamRecords['activity'], offset);
        });
        const layout = new BatchLayout(columns);
        layout.add(rows);
        const { written, selected } = layout.finish();
        const definitions = written.map((column) => `${column.name} ${column.type}`).join(', ');
        await database.run('landing', `create or replace table landed.r (${definitions})`);
        await database.run('landing', `create or replace view landed.e as select ${selected.join(', ')} from landed.r`);
        const appender = await database.connection.createAppender('r', 'landed');
        appendRows(appender, written, rows.length);
        appender.closeSync();
        await database.run('merging', 'delete from lists');
        await database.run('merging', insertRows(tableRows(table, ['landed.e']), false, false));

        const names = ['id', ...Object.keys(types), 'entries'].join(', ');
        const found = await database.rows('reading', `select ${names} from lists order by id`);
        expect(found.map((row) => row.map(queryValue))).toEqual(events.map((sent, offset) => expected(String(offset), sent)));

        const flat = await database.rows('reading', 'select id, ordinal, text, long from lists_entries order by id, ordinal');
        expect(flat.map((row) => row.map(queryValue))).toEqual(
          events.flatMap((sent, offset) =>
            (expected(String(offset), sent)[8] as { text: unknown; long: unknown }[]).map(({ text, long }, index) => [
              String(offset),
              BigInt(index + 1),
              text,
              long,
            ]),
          ),
        );
      }),
      { numRuns: 100 * Number(process.env.SOAK ?? 1) },
    );
  } finally {
    database.close();
  }
});

test('the table omits a list field that identifies a person', () => {
  const [create] = databaseTables([table]).map(createTable);
  expect(create).toContain(
    'entries struct(text varchar, long bigint, double double, flag boolean, taken_at timestamptz, day date, free json)[] not null',
  );
  expect(create).not.toContain('name');
  expect(table.columns.map(({ type: column }) => typeName(column))).toContain('list of objects');
});
