import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { offsetOfWallClock } from '../../schemas/time-zones/wall-clock.fixture.ts';
import { privacyOptions } from '../privacy.ts';
import { runIn } from './closed-file.fixture.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function prepared(preferences = {}): Promise<void> {
  const { type: _, ...settings } = duckDbOptions.parse({ type: 'duckdb', path });
  const warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}), preferences });
  // Fills the kept tables.
  await warehouse.publish('now');
  await warehouse.close();
}

/** Everything that the catalog says about the file, except for the record of what was made. */
const catalog = (): Promise<unknown[][]> =>
  runIn(
    path,
    `select 'table', schema_name, table_name, sql, comment from duckdb_tables() where not internal
     union all select 'view', schema_name, view_name, regexp_replace(sql, '\\s+', ' ', 'g'), comment from duckdb_views() where not internal
     union all select 'column', table_name, column_name, data_type, comment from duckdb_columns() where not internal order by all`,
  );

test('the table of time zones has the offsets of the time zone database', async () => {
  await prepared();
  for (const zone of ['America/St_Johns', 'Europe/Berlin', 'Asia/Calcutta'])
    for (const second of [1_262_304_000, 1_773_000_000, 1_785_000_000, 2_145_916_799]) {
      const offsets = await runIn(
        path,
        `select offset_s from time_zone_transitions where zone = '${zone}' and time_basis = 'utc'
         and epoch_us(from_at) <= ${second * 1e6} and epoch_us(to_at) > ${second * 1e6}`,
      );
      expect([zone, second, offsets]).toEqual([zone, second, [[String(offsetOfWallClock(zone, second))]]]);
    }
});

test.each([
  ['a dropped table', 'drop table time_zone_transitions'],
  ['a table with other rows and columns', 'create or replace table time_zone_transitions as select 1 as one'],
  ['a dropped column', 'alter table activity drop column steps'],
  ['a dropped view', 'drop view person_days'],
  ['a replaced view', 'create or replace view heartrate as select 1 as one'],
  ['a changed comment on a table', "comment on table activity is 'Mine.'"],
  ['a removed comment on a view', 'comment on view person_days is null'],
  ['a dropped kept table', 'drop table kept.metric_days'],
  ['the schema of another version', "update control.made_schema set content = replace(content, 'declared', 'earlier')"],
  ['no record of the schema', 'delete from control.made_schema'],
])('opening a warehouse repairs %s', async (_, damage) => {
  await prepared();
  const whole = await catalog();
  await runIn(path, damage);
  await prepared();
  // A column that was added again is the last one.
  const sorted = (rows: unknown[][]): string[] => rows.map((row) => JSON.stringify(row)).sort();
  const withoutText = (rows: unknown[][]): unknown[][] =>
    rows.filter(([kind, , name]) => !(kind === 'table' && name === 'activity'));
  expect(sorted(withoutText(await catalog()))).toEqual(sorted(withoutText(whole)));
});

test('a changed preference replaces the views, and changing it back restores them', async () => {
  const preferences = { sleep: ['fitbit/watch'] };
  await prepared();
  const usual = await catalog();
  await prepared(preferences);
  expect(await catalog()).not.toEqual(usual);
  await prepared();
  expect(await catalog()).toEqual(usual);
});
