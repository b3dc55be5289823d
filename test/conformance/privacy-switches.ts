import type { Privacy, QueryValue, Warehouse, WarehouseReader } from '@aorta/connectors';
import { readEvent, type StreamName, type StreamRecords } from '@aorta/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { endsBeforeTestLimit } from './warehouse-under-test.ts';

/** A warehouse that can be opened with different privacy settings in turn. */
export interface SwitchedWarehouse {
  open(privacy: Privacy): Promise<Warehouse>;
  read(): Promise<WarehouseReader>;
  remove(): Promise<void>;
}

type Row = Readonly<Record<string, QueryValue | undefined>>;
type Planted = string | number;

/** A column that contains recognizable values. `mayStand` tells whether a privacy setting allows them. */
interface Cell {
  /** Name of the column in the output of `aorta doctor`. */
  readonly name: string;
  readonly mayStand: (privacy: Privacy) => boolean;
  readonly planted: (n: number) => Planted;
  readonly read?: (row: Row) => QueryValue | undefined;
}

/** A kind of event. Its functions take the number `n` of an event and the `id` of the object that the event is about. */
interface Kind {
  readonly stream: StreamName;
  readonly table: string;
  readonly type: string;
  readonly data: (n: number, id: string) => object;
  /** Returns the key of the event's row. All versions of an object have the same key. */
  readonly key: (n: number, id: string) => string;
  readonly keyOf: (row: Row) => string;
  readonly cells: readonly Cell[];
}

const identifiers = ({ identifiers }: Privacy): boolean => identifiers;
const patients = ({ patients }: Privacy): boolean => patients;
const freeText = ({ free_text }: Privacy): boolean => free_text;
const location = ({ location }: Privacy): boolean => location;
const both =
  (...all: readonly ((privacy: Privacy) => boolean)[]) =>
  (privacy: Privacy): boolean =>
    all.every((one) => one(privacy));

const word = (name: string, n: number): string => `planted-${name}-${n}-`;
const named = (name: string, mayStand: Cell['mayStand']): Cell => ({ name, mayStand, planted: (n) => word(name, n) });
const numbered = (name: string, mayStand: Cell['mayStand'], add: number): Cell => ({ name, mayStand, planted: (n) => n + add });

const at = (n: number): string => new Date(Date.UTC(2026, 2, 28, 12) + n * 60_000).toISOString();
const byId = { key: (_: number, id: string) => id, keyOf: (row: Row) => String(row.id) };
const byOffset = { key: (n: number) => String(n), keyOf: (row: Row) => String(row._offset) };

/** These kinds cover a column that a stream always has, summaries with versions, list fields, samples, dates and numbers. */
const kinds: readonly Kind[] = [
  {
    stream: 'raw_events',
    table: 'raw_events',
    type: 'raw.fitbit.sleep',
    data: (n) => ({ value: word('payload', n) }),
    ...byOffset,
    cells: [named('payload', identifiers)],
  },
  {
    stream: 'connections',
    table: 'connection_events',
    type: 'provider.connection.error',
    data: (n) => ({
      provider: { slug: 'oura' },
      external_user_id: word('external_user_id', n),
      message: word('message', n),
      more: word('extra', n),
    }),
    ...byOffset,
    cells: [named('external_user_id', identifiers), named('message', freeText), named('extra', both(identifiers, freeText))],
  },
  {
    stream: 'lab_appointments',
    table: 'lab_appointments',
    type: 'labtest.appointment.updated',
    data: (n, id) => ({
      id,
      updated_at: at(n),
      order_id: 'order',
      address: { street: word('address', n) },
      location: { lng: n + 0.25, lat: n + 0.5 },
      appointment_notes: word('appointment_notes', n),
      events: [{ created_at: at(n), status: 'booked', data: { note: word('events', n) } }],
      more: word('extra', n),
    }),
    ...byId,
    cells: [
      named('address', patients),
      numbered('longitude_deg', location, 0.25),
      numbered('latitude_deg', location, 0.5),
      named('appointment_notes', freeText),
      {
        name: 'events[].data',
        mayStand: freeText,
        planted: (n) => word('events', n),
        read: ({ events }) => (events as readonly { readonly data?: QueryValue }[])[0]?.data,
      },
      named('extra', both(patients, freeText, location)),
    ],
  },
  {
    stream: 'profile',
    table: 'profile',
    type: 'daily.data.profile.updated',
    data: (n, id) => ({ id, updated_at: at(n), birth_date: `19${10 + (n % 80)}-01-02`, more: word('extra', n) }),
    ...byId,
    cells: [
      { name: 'birth_date', mayStand: identifiers, planted: (n) => `19${10 + (n % 80)}-01-02` },
      named('extra', identifiers),
    ],
  },
  {
    stream: 'workouts',
    table: 'workouts',
    type: 'daily.data.workouts.updated',
    data: (n, id) => ({ id, updated_at: at(n), title: word('title', n), map: { polyline: word('map_polyline', n) } }),
    ...byId,
    cells: [named('title', freeText), named('map_polyline', location)],
  },
  {
    stream: 'notes',
    table: 'notes',
    type: 'daily.data.note.created',
    data: (n) => ({ source: { provider: 'oura' }, data: [{ timestamp: at(n), value: word('text', n), tags: ['a'] }] }),
    ...byOffset,
    cells: [named('text', freeText)],
  },
];

export const tablesOfSwitches: readonly string[] = kinds.map(({ table }) => table);

const privacies: fc.Arbitrary<Privacy> = fc.record({
  identifiers: fc.boolean(),
  patients: fc.boolean(),
  free_text: fc.boolean(),
  location: fc.boolean(),
});

/** A run with one privacy setting. It lands batches, and may also merge at its start and after each batch. */
interface Run {
  readonly privacy: Privacy;
  readonly mergesFirst: boolean;
  readonly batches: readonly {
    readonly objects: readonly { readonly kind: number; readonly id: string }[];
    readonly merges: boolean;
  }[];
}

const histories: fc.Arbitrary<readonly Run[]> = fc.array(
  fc.record({
    privacy: privacies,
    mergesFirst: fc.boolean(),
    batches: fc.array(
      fc.record({
        objects: fc.array(fc.record({ kind: fc.nat(kinds.length - 1), id: fc.constantFrom('a', 'b') }), {
          minLength: 1,
          maxLength: 5,
        }),
        merges: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  }),
  { minLength: 2, maxLength: 5 },
);

/** The fixed examples switch all classes on and off repeatedly, with every kind of event. Each run leaves one batch unmerged. */
const allOn: Privacy = { identifiers: true, patients: true, free_text: true, location: true };
const allOff: Privacy = { identifiers: false, patients: false, free_text: false, location: false };
const everyKind = ['a', 'b'].map((id) => kinds.map((_, kind) => ({ kind, id })));
const run = (privacy: Privacy, mergesFirst: boolean): Run => ({
  privacy,
  mergesFirst,
  batches: [
    { objects: everyKind[0]!, merges: true },
    { objects: everyKind[1]!, merges: false },
  ],
});
const examples: [readonly Run[]][] = [
  [[allOn, allOff, allOn, allOff].map((privacy) => run(privacy, true))],
  [[allOff, allOn, allOff, allOn].map((privacy) => run(privacy, false))],
];

/**
 * The expected rows, with the newest merged version of each object. A value is expected only if the privacy setting allowed
 * it both when it was landed and when it was merged.
 */
class Model {
  readonly #waiting: { readonly kind: Kind; readonly id: string; readonly n: number; readonly landed: Privacy }[] = [];
  readonly rows = new Map<Kind, Map<string, (Planted | null)[]>>(kinds.map((kind) => [kind, new Map()]));

  land(kind: Kind, id: string, n: number, landed: Privacy): void {
    this.#waiting.push({ kind, id, n, landed });
  }

  merge(now: Privacy): void {
    for (const { kind, id, n, landed } of this.#waiting.splice(0)) {
      const cells = kind.cells.map((cell) => (cell.mayStand(landed) && cell.mayStand(now) ? cell.planted(n) : null));
      this.rows.get(kind)!.set(kind.key(n, id), cells);
    }
  }

  withheld(now: Privacy): string[] {
    return kinds.flatMap((kind) =>
      kind.cells.flatMap((cell, index) => {
        const values = [...this.rows.get(kind)!.values()].filter((cells) => cells[index] !== null).length;
        return cell.mayStand(now) || values === 0 ? [] : [`${kind.table}.${cell.name}: ${values}`];
      }),
    );
  }
}

function recordOf({ stream, type, data }: Kind, n: number, id: string): StreamRecords[StreamName] {
  const receipt = {
    source: 's',
    partition: '0',
    offset: n,
    received_at: Date.UTC(2026, 2, 28, 13) * 1000 + n,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  };
  const reading = readEvent(stream as 'activity', type, { user_id: 'u', event_type: type, data: data(n, id) }, receipt);
  if (reading.kind !== 'record') throw new Error(`${type}: ${reading.reason}`);
  return reading.record;
}

async function rowsOf(reader: WarehouseReader, table: string): Promise<Row[]> {
  const { columns, rows } = await reader.query(`select * from ${table}`);
  const all: Row[] = [];
  for await (const chunk of rows)
    for (const row of chunk) all.push(Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
  return all;
}

/** Returns the recognizable value if the cell contains it in any form. Otherwise returns the content of the cell. */
function seen(value: QueryValue | undefined, planted: Planted | null): unknown {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return planted !== null && text.includes(String(planted)) ? planted : text;
}

/**
 * Switches the privacy classes on and off in random order, on a warehouse with rows and unmerged batches. After each run, the
 * tables equal the model, and `withheldValues` counts exactly the values that a switch left behind.
 */
export function privacySwitches(create: () => Promise<SwitchedWarehouse>, runs: number): void {
  test('tables and withheld values equal the model after any sequence of privacy switches', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (all) => {
        const under = await create();
        const model = new Model();
        const positions = new Map<StreamName, number>();
        let n = 0;
        try {
          for (const { privacy, mergesFirst, batches } of all) {
            if (n > 0) await expectOpenable(under, privacy);
            const warehouse = await under.open(privacy);
            try {
              const merge = async (): Promise<void> => {
                await warehouse.merge('all');
                model.merge(privacy);
              };
              if (mergesFirst) await merge();
              for (const { objects, merges } of batches) {
                const records = new Map<StreamName, StreamRecords[StreamName][]>();
                for (const { kind: index, id } of objects) {
                  const kind = kinds[index]!;
                  n++;
                  records.set(kind.stream, [...(records.get(kind.stream) ?? []), recordOf(kind, n, id)]);
                  model.land(kind, id, n, privacy);
                }
                for (const [stream, some] of records) {
                  const from = positions.get(stream) ?? 0;
                  await warehouse.land({ stream, incarnation: 'i', from, to: from + some.length, records: some });
                  positions.set(stream, from + some.length);
                }
                if (merges) await merge();
              }
              await warehouse.publish('now');
            } finally {
              await warehouse.close();
            }
            await expectTables(under, model, privacy);
          }
        } finally {
          await under.remove();
        }
      }),
      { numRuns: runs, examples, plugins: [endsBeforeTestLimit()] },
    );
  });
}

/** Checks that `aorta run` can resolve every difference between the tables and the next privacy setting. */
async function expectOpenable(under: SwitchedWarehouse, privacy: Privacy): Promise<void> {
  const reader = await under.read();
  try {
    const differences = await reader.tableDifferences(privacy);
    expect(differences.filter(({ fixedBy }) => fixedBy !== 'run')).toEqual([]);
  } finally {
    await reader.close();
  }
}

async function expectTables(under: SwitchedWarehouse, model: Model, privacy: Privacy): Promise<void> {
  const reader = await under.read();
  try {
    for (const kind of kinds) {
      const rows = await rowsOf(reader, kind.table);
      const shown = new Set(Object.keys(rows[0] ?? {}));
      const expected = [...model.rows.get(kind)!].map(([key, cells]) => [key, ...cells] as const);
      const found = rows.map((row) => {
        const cells = model.rows.get(kind)!.get(kind.keyOf(row));
        return [
          kind.keyOf(row),
          ...kind.cells.map(({ name, read = (one) => one[name] }, index) => {
            // A table may still have a column that is withheld now, but the view of samples does not show it.
            if (read(row) === undefined && !shown.has(name) && !kind.cells[index]!.mayStand(privacy))
              return cells?.[index] ?? null;
            return seen(read(row), cells?.[index] ?? null);
          }),
        ];
      });
      expect([kind.table, ...found.sort()]).toEqual([kind.table, ...expected.sort()]);
    }
    expect(await reader.tableDifferences(privacy)).toEqual([]);
    const left = await reader.withheldValues(privacy);
    const names = new Set(tablesOfSwitches);
    expect(
      left
        .filter(({ table }) => names.has(table))
        .map(({ table, column, values }) => `${table}.${column}: ${values}`)
        .sort(),
    ).toEqual(model.withheld(privacy).sort());
  } finally {
    await reader.close();
  }
}
