import type { Warehouse, WarehouseReader } from '@aorta/connectors';
import type { LogFields, Step } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveries } from '../model/arbitrary.ts';
import type { TestDelivery } from '../model/delivery.ts';
import { modelTables } from '../model/model.ts';
import { ordered, printedTables } from '../model/printed.ts';
import { type Placed, recordsOf } from './records.ts';

/** Options for opening a warehouse: the order of summaries, and callbacks for steps and warnings. */
interface Opening {
  readonly order?: 'updated_at' | 'received';
  readonly onStep?: (step: Step) => void;
  readonly onWarning?: (event: string, fields: LogFields) => void;
}

/** A warehouse that an older version of Aorta has written. */
export interface UpgradedWarehouse {
  open(opening?: Opening): Promise<Warehouse>;
  read(): Promise<WarehouseReader>;
  /** Restores the format from before the upgrade. */
  setBack(): Promise<void>;
  remove(): Promise<void>;
}

const BEGIN = Date.UTC(2026, 2, 28, 12);
const HOUR = 3_600_000;
const INCARNATION = 'i';

/**
 * Opens the warehouse in the same way as the older version, which ordered summaries without `updated_at` by time of
 * receipt. `received` uses this order for all summaries, so these tests land only summaries without `updated_at`.
 */
const asOlder: Opening = { order: 'received' };

function event(
  kind: 'activity' | 'menstrual_cycle',
  verb: 'created' | 'updated',
  { offset, receivedAt }: Pick<TestDelivery, 'offset' | 'receivedAt'>,
  data: object,
) {
  const event_type = `daily.data.${kind}.${verb}`;
  return {
    source: 'hub',
    partition: 0,
    offset,
    receivedAt,
    headers: { 'event-type': event_type, 'user-id': 'u' },
    body: { event_type, team_id: 'team', user_id: 'u', data: { source: { provider: 'oura', type: 'ring' }, ...data } },
  } satisfies TestDelivery;
}

/**
 * Lands records as the loader does, starting at the landed position. If there is none, it starts at `start`, the position
 * of the oldest record in the stream.
 */
async function landUpTo(
  warehouse: Warehouse,
  stream: StreamName,
  records: readonly Placed[],
  { to, start = 0 }: { readonly to: number; readonly start?: number },
): Promise<void> {
  const landed = warehouse.landed({ stream, partition: 0 });
  const from = landed?.incarnation === INCARNATION ? landed.position : start;
  if (from >= to) return;
  const some = records.slice(from, to).map(({ record }) => record) as StreamRecords[StreamName][];
  await warehouse.land({ stream, incarnation: INCARNATION, from, to, records: some });
}

async function rowsOf(reader: WarehouseReader, sql: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const some of (await reader.query(sql)).rows)
    all.push(...some.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value))));
  return all;
}

async function read<T>(under: UpgradedWarehouse, look: (reader: WarehouseReader) => Promise<T>): Promise<T> {
  const reader = await under.read();
  try {
    return await look(reader);
  } finally {
    await reader.close();
  }
}

/** Summaries without `updated_at`, in stream order. All except `waiting` are merged. Retention later drops `gone`. */
const gone = event('activity', 'created', { offset: 1, receivedAt: BEGIN }, { id: 'gone', steps: 1 });
const merged = [
  gone,
  event('activity', 'updated', { offset: 2, receivedAt: BEGIN }, { id: 'late-first', steps: 2 }),
  event('activity', 'created', { offset: 3, receivedAt: BEGIN + HOUR }, { id: 'late-first', steps: 1 }),
  event('activity', 'created', { offset: 4, receivedAt: BEGIN }, { id: 'only-first', steps: 3 }),
  event('activity', 'updated', { offset: 5, receivedAt: BEGIN }, { id: 'waiting', steps: 2 }),
];
const waiting = [event('activity', 'created', { offset: 6, receivedAt: BEGIN + HOUR }, { id: 'waiting', steps: 1 })];
const activities = recordsOf([...merged, ...waiting]);
const cycles = recordsOf([event('menstrual_cycle', 'updated', { offset: 7, receivedAt: BEGIN }, { id: 'cycle' })]);

/**
 * Leaves a warehouse in the state in which the older version left it: late created events have replaced updates, and one
 * batch is unmerged.
 */
export async function leaveAsOlder(under: UpgradedWarehouse): Promise<void> {
  const older = await under.open(asOlder);
  await landUpTo(older, 'activity', activities, { to: merged.length });
  await landUpTo(older, 'menstrual_cycle', cycles, { to: cycles.length });
  await older.merge('all');
  await landUpTo(older, 'activity', activities, { to: activities.length });
  await older.publish('now');
  await older.close();
  await under.setBack();
}

/** Lands the activities again in an upgraded warehouse, and checks that each row has the right version. Closes the warehouse. */
export async function expectOrdered(under: UpgradedWarehouse, warehouse: Warehouse): Promise<void> {
  await landUpTo(warehouse, 'activity', activities, { to: activities.length });
  await warehouse.merge('all');
  await warehouse.publish('now');
  await warehouse.close();
  expect(await read(under, (reader) => rowsOf(reader, 'SELECT id, steps FROM activity ORDER BY id'))).toEqual([
    ['gone', 1],
    ['late-first', 2],
    ['only-first', 3],
    ['waiting', 2],
  ]);
}

/** Tests that an upgrade applies the current version order to rows that an older version of Aorta wrote. */
export function versionUpgrade(
  name: string,
  create: () => Promise<UpgradedWarehouse>,
  { runs, records: most }: { readonly runs: number; readonly records: number },
): void {
  describe(`${name}: the upgrade of summaries without updated_at`, () => {
    test('the upgrade corrects rows and batches, resets landed positions, and warns if records of rows are missing', async () => {
      const under = await create();
      try {
        await leaveAsOlder(under);
        expect(await read(under, (reader) => rowsOf(reader, 'SELECT id, steps FROM activity ORDER BY id'))).toEqual([
          ['gone', 1],
          ['late-first', 1],
          ['only-first', 3],
          ['waiting', 2],
        ]);
        const warnings: [string, LogFields][] = [];
        const warehouse = await under.open({ onWarning: (...warning) => void warnings.push(warning) });
        expect(warehouse.landed({ stream: 'activity', partition: 0 })).toBeUndefined();
        // This table contains no created event without `updated_at`, so none of its rows can be wrong.
        expect(warehouse.landed({ stream: 'menstrual_cycle', partition: 0 })).toEqual({
          incarnation: INCARNATION,
          position: cycles.length,
        });
        // Retention has dropped the first record of the stream.
        await landUpTo(warehouse, 'activity', activities, { to: activities.length, start: 1 });
        expect(await warehouse.reportUpgrade?.()).toBe(false);
        await warehouse.merge('all');
        expect(await warehouse.reportUpgrade?.()).toBe(true);
        expect(warnings).toEqual([[expect.stringContaining('gone from the stream'), { table: 'activity', rows: 1 }]]);
        await warehouse.publish('now');
        await warehouse.close();
        expect(
          await read(under, (reader) => rowsOf(reader, 'SELECT id, steps, _version_time FROM activity ORDER BY id')),
        ).toEqual([
          ['gone', 1, '1970-01-01T00:00:00Z'],
          ['late-first', 2, '2026-03-28T12:00:00Z'],
          ['only-first', 3, '1970-01-01T00:00:00Z'],
          ['waiting', 2, '2026-03-28T12:00:00Z'],
        ]);
        expect(await read(under, (reader) => rowsOf(reader, 'SELECT COUNT(*) FROM deliveries'))).toEqual([[7]]);

        // The upgrade runs only once. On the next start, the whole stream has been landed, but one row's record is still missing.
        warnings.length = 0;
        const next = await under.open({ onWarning: (...warning) => void warnings.push(warning) });
        expect(next.landed({ stream: 'activity', partition: 0 })).toEqual({
          incarnation: INCARNATION,
          position: activities.length,
        });
        expect(await next.reportUpgrade?.()).toBe(true);
        expect(warnings).toHaveLength(1);
        // A replay of the source appends the missing record again, after the other records.
        await landUpTo(next, 'activity', [...activities, ...recordsOf([gone])], { to: activities.length + 1 });
        await next.merge('all');
        warnings.length = 0;
        await next.close();
        const last = await under.open({ onWarning: (...warning) => void warnings.push(warning) });
        expect(await last.reportUpgrade?.()).toBe(true);
        expect(warnings).toEqual([]);
        await last.close();
      } finally {
        await under.remove();
      }
    });

    test('an upgrade that fails at any step is finished when the warehouse is opened again', async () => {
      const under = await create();
      try {
        await leaveAsOlder(under);
        let failures = 0;
        for (let succeeded = false; !succeeded; ) {
          let steps = 0;
          const opened = await under
            .open({
              onStep: () => {
                if (++steps > failures) throw new Error('fails here');
              },
            })
            .catch((error: unknown) => error);
          succeeded = !(opened instanceof Error);
          if (succeeded) await (opened as Warehouse).close();
          else failures++;
        }
        expect(failures).toBeGreaterThanOrEqual(3);
        await expectOrdered(under, await under.open());
      } finally {
        await under.remove();
      }
    });

    test('the upgrade changes nothing if summaries are ordered by receipt', async () => {
      const under = await create();
      try {
        await leaveAsOlder(under);
        const warehouse = await under.open(asOlder);
        expect(warehouse.landed({ stream: 'activity', partition: 0 })?.position).toBe(activities.length);
        await warehouse.merge('all');
        await warehouse.publish('now');
        await warehouse.close();
        expect(
          await read(under, (reader) =>
            rowsOf(reader, "SELECT id, steps, _version_time FROM activity WHERE id IN ('waiting', 'late-first') ORDER BY id"),
          ),
        ).toEqual([
          ['late-first', 1, '2026-03-28T13:00:00Z'],
          ['waiting', 1, '2026-03-28T13:00:00Z'],
        ]);
      } finally {
        await under.remove();
      }
    });

    test('the upgraded tables equal the model, regardless of earlier merges and failed upgrades', async () => {
      await fc.assert(
        fc.asyncProperty(
          deliveries.map((list) => list.filter(isUntimedActivity).slice(0, most)).filter((list) => list.length > 0),
          fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
          fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
          async (list, merges, failures) => {
            const under = await create();
            try {
              const records = recordsOf(list);
              const older = await under.open(asOlder);
              for (let index = 0; index < records.length; index++) {
                await landUpTo(older, 'activity', records, { to: index + 1 });
                if (merges[index]) await older.merge('all');
              }
              await older.close();
              await under.setBack();
              for (const failure of failures) {
                let steps = 0;
                const failOnce = (): void => {
                  if (++steps === failure) throw new Error('fails here');
                };
                // If the upgrade has fewer than `failure` steps, it succeeds. The warehouse is closed before anything is landed.
                const opened = await under.open({ onStep: failOnce }).catch(() => undefined);
                await opened?.close();
              }
              const warehouse = await under.open();
              await landUpTo(warehouse, 'activity', records, { to: records.length });
              await warehouse.merge('all');
              expect(await warehouse.reportUpgrade?.()).toBe(true);
              await warehouse.publish('now');
              await warehouse.close();
              const expected = modelTables(list, { window: 0 });
              const found = await read(under, printedTables);
              expect(ordered(found).activity).toEqual(ordered(expected).activity);
              expect(ordered(found).deliveries).toEqual(ordered(expected).deliveries);
            } finally {
              await under.remove();
            }
          },
        ),
        { numRuns: runs, endOnFailure: true },
      );
    });
  });
}

/** Whether a delivery is an activity that has an `id` but no `updated_at`. */
function isUntimedActivity({ body }: TestDelivery): boolean {
  const { event_type, data } = body as { event_type: string; data: Record<string, unknown> };
  return event_type.startsWith('daily.data.activity.') && data.id !== undefined && data.updated_at === undefined;
}
