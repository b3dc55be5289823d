import { expect, test } from 'vitest';
import { offsetOfWallClock } from '../../schemas/time-zones/wall-clock.fixture.ts';
import { Database } from './database.ts';

import { fillTimeZones, readComments } from './preparation.ts';
import { madeTable } from './sql/create.ts';

test('the table of time zones is filled once, and again if it has other rows or was dropped', async () => {
  using database = await Database.open(':memory:', {});
  const count = async () => Number((await database.rows('', 'select count(*) from time_zone_transitions'))[0]![0]);
  await database.run('', `create schema control; ${madeTable}`);
  const fill = async () => fillTimeZones(database, await readComments(database));
  expect(await fill()).toBe(true);
  const filled = await count();
  expect(await fill()).toBe(false);
  for (const zone of ['America/St_Johns', 'Europe/Berlin', 'Asia/Calcutta'])
    for (const second of [1_262_304_000, 1_773_000_000, 1_785_000_000, 2_145_916_799]) {
      const offsets = await database.rows(
        '',
        `select offset_s from time_zone_transitions where zone = '${zone}' and time_basis = 'utc'
         and epoch_us(from_at) <= ${second * 1e6} and epoch_us(to_at) > ${second * 1e6}`,
      );
      expect([zone, second, offsets]).toEqual([zone, second, [[BigInt(offsetOfWallClock(zone, second))]]]);
    }

  await database.run('', "delete from time_zone_transitions where zone = 'UTC'");
  await database.run('', "update control.made set content = 'of another version'");
  expect([await fill(), await count()]).toEqual([true, filled]);
  await database.run('', 'create or replace table time_zone_transitions as from time_zone_transitions limit 1');
  expect([await fill(), await count()]).toEqual([true, filled]);
  await database.run('', 'drop table time_zone_transitions');
  expect([await fill(), await count()]).toEqual([true, filled]);
});
