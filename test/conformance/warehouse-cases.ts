import { createHash } from 'node:crypto';
import { jsonOf, type QueryValue, type Warehouse, type WarehouseReader } from '@aorta/connectors';
import { type StreamName, type StreamRecords, tables } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestDelivery } from '../model/delivery.ts';
import { recordsOf } from './records.ts';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

const BEGIN = Date.UTC(2026, 2, 28, 12);
const ONE_MB = 2 ** 20;
/** The largest and smallest integers that a stream can hold. */
const MOST = 2 ** 53 - 2;
const LEAST = -(2 ** 52);
const source = { provider: 'oura', type: 'ring' };
const odd = 'Ünï 😀 e\u0301 \u2028 "quoted" \\ \t\n\u{10FFFD}';

let offset = 0;

/** Returns the delivery of an event. Each delivery is received later than the previous one. */
function delivery(type: string, data: object, user: string): TestDelivery {
  offset++;
  return {
    source: 'hub',
    partition: 0,
    offset,
    receivedAt: BEGIN + offset,
    headers: { 'event-type': type, 'user-id': user },
    body: { event_type: type, team_id: 'team', user_id: user, data: { user_id: user, ...data } },
  };
}

const activity = (user: string, data: object) => delivery('daily.data.activity.created', { source, ...data }, user);
const update = (user: string, data: object) => delivery('daily.data.activity.updated', { source, ...data }, user);
const series = (resource: string, user: string, data: readonly object[], from: object = source) =>
  delivery(`daily.data.${resource}.created`, { source: from, data }, user);
const flows = (count: number) =>
  Array.from({ length: count }, (_, day) => ({ date: `2026-03-0${day + 1}`, flow: day === 0 ? 'light' : 'heavy' }));
const cycle = (data: object) => delivery('daily.data.menstrual_cycle.created', { id: 'cycle', ...data }, 'listed');
const pulse = (timestamp: string, value: number) => ({ timestamp, unit: 'bpm', value });
const dose = (type: string | null, value: number) => ({
  start: '2026-03-28T12:00:00Z',
  end: '2026-03-28T12:00:00Z',
  unit: 'unit',
  type,
  value,
});
const minutes = (value: number) => ({ start: '2026-03-28T12:00:00Z', end: '2026-03-28T12:15:00Z', unit: 'min', value });

const twice = activity('twice', { id: 'twice', steps: 1 });
const doubled = series('heartrate', 'twice', [pulse('2026-03-28T12:00:00Z', 1), pulse('2026-03-28T12:00:00Z', 2)]);
const large = { sleep: { status: 'available', note: 'x'.repeat(ONE_MB), scopes: [odd, null, 1.5, true, {}] } };
const erased = (number: number): TestDelivery[] => [
  activity('erased', { id: `erased-${number}`, steps: number }),
  series('heartrate', 'erased', [pulse(`2026-03-28T12:00:0${number}Z`, number)]),
  delivery('provider.connection.created', { provider: { name: 'Oura', slug: 'oura' } }, 'erased'),
];
const [erasedFirst, erasedSecond] = [erased(1), erased(2)];
/** Returns one more arrival of a webhook message, with its own place in the intake log. */
const posted = (provider: string): TestDelivery => ({
  ...delivery('provider.connection.created', { provider: { name: provider, slug: provider } }, 'posted'),
  receivedAt: BEGIN,
  headers: { 'svix-id': 'msg_1', 'user-id': 'posted' },
});

/** Deliveries that are landed and merged first. The deliveries in `second` then compete with the resulting rows. */
const first: readonly TestDelivery[] = [
  twice,
  twice,
  doubled,
  activity('dotted', { id: 'dotted', heart_rate: { peak_zone: 'orange' }, 'heart_rate.peak_zone': 'violet' }),
  activity('stale', { id: 'stale', steps: 2, created_at: '2026-03-28T10:00:00Z', updated_at: '2026-03-28T11:00:00Z' }),
  activity('stale', { id: 'by-a-microsecond', steps: 2, updated_at: '2026-03-28T11:00:00.000002Z' }),
  activity('moved', { id: 'moved', steps: 1, calendar_date: '2026-03-28', updated_at: '2026-03-28T10:00:00Z' }),
  series('heartrate', 'odd-years', [
    pulse('1828-01-01T00:00:00Z', 1),
    pulse('1999-12-31T23:59:59Z', 2),
    pulse('2050-01-01T00:00:00Z', 3),
    pulse('2255-01-01T00:00:00.999999Z', 4),
  ]),
  series('insulin_injection', 'keyed', [dose(null, 1), dose('rapid_acting', 2)]),
  series('workout_duration', 'keyed', [minutes(1)]),
  series('workout_duration', 'keyed', [minutes(2)], { ...source, workout_id: 'w-1' }),
  series('heartrate', 'fine', [pulse('2026-03-28T12:00:00.123456Z', 1), pulse('2026-03-28T12:00:00.123457Z', 2)]),
  activity('large', { id: 'large', steps: MOST, floors_climbed: LEAST }),
  activity(odd, { id: odd, steps: 77 }),
  series('note', odd, [{ start: '2026-03-28T12:00:00Z', end: '2026-03-28T12:00:00Z', unit: 'text', value: odd, tags: [odd] }]),
  delivery('provider.connection.created', { provider: { name: 'Oura', slug: 'oura' }, resource_availability: large }, 'large'),
  cycle({ menstrual_flow: flows(3), updated_at: '2026-03-28T10:00:00Z' }),
  update('untimed', { id: 'late-first', steps: 2 }),
  update('untimed', { id: 'two-updates', steps: 1 }),
  activity('untimed', { id: 'two-firsts', steps: 1 }),
  activity('untimed', { id: 'in-order', steps: 1 }),
  posted('oura'),
  posted('oura'),
  ...erasedFirst,
];
const second: readonly TestDelivery[] = [
  twice,
  doubled,
  activity('stale', { id: 'stale', steps: 1, updated_at: '2026-03-28T10:59:59.999999Z' }),
  activity('stale', { id: 'by-a-microsecond', steps: 1, updated_at: '2026-03-28T11:00:00.000001Z' }),
  activity('moved', { id: 'moved', steps: 2, calendar_date: '2025-03-28', updated_at: '2026-03-28T11:00:00Z' }),
  series('heartrate', 'odd-years', [pulse('1828-01-01T00:00:00Z', 5), pulse('2255-01-01T00:00:00.999999Z', 6)]),
  series('insulin_injection', 'keyed', [dose(null, 3), dose('rapid_acting', 4)]),
  series('workout_duration', 'keyed', [minutes(3)]),
  series('workout_duration', 'keyed', [minutes(4)], { ...source, workout_id: 'w-1' }),
  cycle({ menstrual_flow: flows(1), updated_at: '2026-03-28T11:00:00Z' }),
  activity('untimed', { id: 'late-first', steps: 1 }),
  update('untimed', { id: 'two-updates', steps: 2 }),
  activity('untimed', { id: 'two-firsts', steps: 2 }),
  update('untimed', { id: 'in-order', steps: 2 }),
  posted('oura'),
  posted('fitbit'),
];

/** The tables that the model covers, and one table with lists. Creating a dataset with only these tables takes seconds. */
const ofSuite = [
  'activity',
  'blood_pressure',
  'connection_events',
  'historical_completions',
  'menstrual_cycle',
  'notes',
  'timeseries',
];
export const tablesOfSuite = tables.filter(({ name }) => ofSuite.includes(name));

/** Tests single values and versions that the model does not cover, or that random histories rarely contain. */
export function warehouseCases(name: string, create: () => Promise<WarehouseUnderTest>, landsApart: boolean): void {
  describe(`${name}: individual cases`, () => {
    let under: WarehouseUnderTest;
    let reader: WarehouseReader;
    let receipt: Awaited<ReturnType<Warehouse['erase']>>;

    beforeAll(async () => {
      under = await create();
      const positions = new Map<StreamName, number>();
      const land = async (warehouse: Warehouse, some: readonly TestDelivery[]): Promise<void> => {
        for (const [stream, placed] of Map.groupBy(recordsOf(some), (one) => one.stream)) {
          const from = positions.get(stream) ?? 0;
          const records = placed.map(({ record }) => record) as StreamRecords[StreamName][];
          positions.set(stream, from + records.length);
          await warehouse.land({ stream, incarnation: 'i', from, to: from + records.length, records });
        }
      };
      const before = await under.open();
      await land(before, first);
      await before.merge('all');
      await land(before, [...second, ...erasedSecond]);
      receipt = await before.erase('erased');
      await before.merge('all');
      await before.close();
      const warehouse = await under.open();
      await land(warehouse, [...erasedFirst, ...erasedSecond]);
      await warehouse.merge('all');
      await warehouse.publish('now');
      await warehouse.close();
      reader = await under.read();
    });
    afterAll(async () => {
      await reader?.close();
      await under?.remove();
    });

    async function rows(sql: string): Promise<readonly (readonly QueryValue[])[]> {
      const all: (readonly QueryValue[])[] = [];
      for await (const some of (await reader.query(sql)).rows) all.push(...some);
      return all.map((row) => row.map((value) => (typeof value === 'bigint' ? String(value) : value)));
    }

    test('a delivery repeated in a batch or across merges gives one row, and the last sample with a key is kept', async () => {
      expect(await rows("SELECT steps FROM activity WHERE id = 'twice'")).toEqual([['1']]);
      expect(await rows("SELECT value FROM timeseries WHERE user_id = 'twice'")).toEqual([[2]]);
      expect(
        await rows("SELECT stream, COUNT(*) FROM deliveries WHERE user_id = 'twice' GROUP BY stream ORDER BY stream"),
      ).toEqual([
        ['activity', '1'],
        ['timeseries', '1'],
      ]);
    });

    test('a webhook message that arrives several times gives one row for each of its bodies', async () => {
      const events = await rows("SELECT provider FROM connection_events WHERE user_id = 'posted' ORDER BY provider");
      expect(events).toEqual([['fitbit'], ['oura']]);
      const places = "SELECT source_partition FROM deliveries WHERE user_id = 'posted' AND source_offset = body_crc32";
      expect(await rows(places)).toEqual([['msg_1'], ['msg_1']]);
    });

    test('an older version does not replace a newer one, even if it is only a microsecond older', async () => {
      expect(await rows("SELECT id, steps FROM activity WHERE user_id = 'stale' ORDER BY id")).toEqual([
        ['by-a-microsecond', '2'],
        ['stale', '2'],
      ]);
    });

    test('without updated_at, a created event never replaces an update, and otherwise the order of receipt applies', async () => {
      expect(await rows("SELECT id, steps, _version_time FROM activity WHERE user_id = 'untimed' ORDER BY id")).toEqual([
        ['in-order', '2', expect.stringMatching(/^2026-03-28T12:00:00/)],
        ['late-first', '2', expect.stringMatching(/^2026-03-28T12:00:00/)],
        ['two-firsts', '2', '1970-01-01T00:00:00Z'],
        ['two-updates', '2', expect.stringMatching(/^2026-03-28T12:00:00/)],
      ]);
    });

    test('a summary that moves to a different date has one row, on its new date', async () => {
      expect(await rows("SELECT steps, calendar_date FROM activity WHERE id = 'moved'")).toEqual([['2', '2025-03-28']]);
    });

    test('samples from unusual years keep their microseconds and are stored in the first or last partition', async () => {
      expect(await rows("SELECT start_at, _day, value FROM timeseries WHERE user_id = 'odd-years' ORDER BY start_at")).toEqual([
        ['1828-01-01T00:00:00Z', '2010-01-01', 5],
        ['1999-12-31T23:59:59Z', '2010-01-01', 2],
        ['2050-01-01T00:00:00Z', '2036-12-31', 3],
        ['2255-01-01T00:00:00.999999Z', '2036-12-31', 6],
      ]);
    });

    test('a missing part of a key counts as an empty value', async () => {
      const found = await rows(`SELECT resource, sample_type, source_workout_id, value FROM timeseries
        WHERE user_id = 'keyed' ORDER BY resource, sample_type, source_workout_id`);
      expect(found).toEqual([
        ['insulin_injection', '', '', 3],
        ['insulin_injection', 'rapid_acting', '', 4],
        ['workout_duration', '', '', 3],
        ['workout_duration', '', 'w-1', 4],
      ]);
    });

    test('samples a microsecond apart are separate rows', async () => {
      expect(await rows("SELECT start_at, value FROM timeseries WHERE user_id = 'fine' ORDER BY start_at")).toEqual([
        ['2026-03-28T12:00:00.123456Z', 1],
        ['2026-03-28T12:00:00.123457Z', 2],
      ]);
    });

    test('large integers are exact', async () => {
      const origin = createHash('sha256')
        .update('hub\0' + '0')
        .digest()
        .readBigInt64BE(0);
      expect(await rows("SELECT steps, floors_climbed, _origin FROM activity WHERE id = 'large'")).toEqual([
        [String(MOST), String(LEAST), String(origin)],
      ]);
    });

    test('keys, texts and JSON keep every Unicode character', async () => {
      const [[id, user]] = (await rows('SELECT id, user_id FROM activity WHERE steps = 77')) as [[string, string]];
      expect([id, user]).toEqual([odd, odd]);
      const [[text, tags]] = (await rows("SELECT text, tags FROM notes WHERE unit = 'text'")) as [[string, string]];
      expect([text, JSON.parse(tags)]).toEqual([odd, [odd]]);
    });

    test('extra keeps an unknown member and another one whose own name has a dot', async () => {
      const [[extra]] = (await rows("SELECT extra FROM activity WHERE id = 'dotted'")) as [[string]];
      expect(JSON.parse(extra)).toEqual({ 'data.heart_rate.peak_zone': 'orange', 'data.heart_rate~.peak_zone': 'violet' });
    });

    test('a column keeps a megabyte of JSON unchanged', async () => {
      const [[json]] = (await rows("SELECT resource_availability FROM connection_events WHERE user_id = 'large'")) as [[string]];
      expect(JSON.parse(json)).toEqual(large);
    });

    test('decimals are JSON numbers, whatever their values are', async () => {
      const sql = 'SELECT CAST(1.5 AS NUMERIC) AS a, CAST(2 AS NUMERIC) AS b, CAST(-0.25 AS NUMERIC) AS c';
      for await (const [values] of (await reader.query(sql)).rows) expect(JSON.parse(jsonOf(values))).toEqual([1.5, 2, -0.25]);
      expect.assertions(1);
    });

    test('a newer version with a shorter list replaces the whole list', async () => {
      expect(await rows("SELECT menstrual_flow, cervical_mucus FROM menstrual_cycle WHERE id = 'cycle'")).toEqual([
        [[{ calendar_date: '2026-03-01', flow: 'light' }], []],
      ]);
    });

    test('an erasure removes only the rows of one user, and a replay does not restore them', async () => {
      const counts = [...receipt.tables].filter(({ rows: count }) => count > 0);
      // If landing does not merge, the user's last three events are landed but unmerged. Otherwise, they are in the tables.
      const [merged, landed] = landsApart ? [1, 3] : [2, 0];
      expect(counts).toEqual([
        { table: 'activity', rows: merged },
        { table: 'connection_events', rows: merged },
        { table: 'deliveries', rows: 3 * merged },
        { table: 'timeseries', rows: merged },
      ]);
      expect(receipt.landed).toBe(landed);
      for (const table of ['activity', 'timeseries', 'connection_events', 'deliveries'])
        expect([table, await rows(`SELECT COUNT(*) FROM ${table} WHERE user_id = 'erased'`)]).toEqual([table, [['0']]]);
      const identity = ({ headers, body, offset }: TestDelivery) => ('svix-id' in headers ? JSON.stringify(body) : offset);
      const all = new Set([...first, ...second].map(identity)).size - erasedFirst!.length;
      expect(await rows('SELECT COUNT(*) FROM deliveries')).toEqual([[String(all)]]);
    });
  });
}
