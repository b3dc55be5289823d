import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { randomOf } from '@aorta/people';
import { tables as declared } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { landedTable, privacyOptions } from '../privacy.ts';
import { followedViews, IncrementalModels, type Rows } from '../warehouses/incremental-models.fixture.ts';
import { BEGIN, DAY, type Event, History } from '../warehouses/random-history.fixture.ts';
import { CHANGED_PERSON_DAYS } from '../warehouses/views/changed-person-days.ts';
import { isShown, type ShownView } from '../warehouses/views/dialect.ts';
import { views } from '../warehouses/views/views.ts';
import { openBigQueryWarehouse } from './bigquery-warehouse.ts';
import { bigQueryOptions } from './options.ts';
import { openBigQueryReader } from './reading/bigquery-reader.ts';
import type { Dataset } from './sql/types.ts';
import { createView } from './tables/plan.ts';
import { bigQueryViews } from './views-dialect.ts';

/** Compares incremental models of the views by day, which follow `changed_person_days`, with the views themselves. */

const problem = await whyNoBigQuery();
const privacy = privacyOptions.parse({});
const tables = declared.map((table) => landedTable(table, privacy));

const followed = followedViews(views(bigQueryViews({ project: 'p', dataset: 'd' }), tables, declared, {}));

const DATASET = 'changed_days';

const source = { provider: 'oura', type: 'ring' };
const dateOf = (days: number): string => new Date(BEGIN + days * DAY).toISOString().slice(0, 10);

/** Steps of a number of days after the first date of the random events. */
const steps = (user: string, days: number, time_zone?: string): Event => {
  const data = { id: `${user} ${days}`, user_id: user, calendar_date: dateOf(days), steps: 1, time_zone, source };
  return ['activity', 'daily.data.activity.created', user, data];
};

/** A reading of the blood pressure at night, without an offset. */
const reading = (user: string): Event => {
  const data = [{ timestamp: `${dateOf(-40)}T02:00:00Z`, systolic: 120, diastolic: 80, unit: 'mmHg' }];
  return ['blood_pressure', 'daily.data.blood_pressure.created', user, { source, data }];
};

/** A sleep in February whose calendar date is in March. */
const misdated = (user: string): Event => {
  const times = { bedtime_start: `${dateOf(-40)}T22:00:00Z`, bedtime_stop: `${dateOf(-39)}T06:00:00Z` };
  const data = { id: user, user_id: user, calendar_date: dateOf(-7), type: 'long_sleep', ...times, total: 25_200, source };
  return ['sleep', 'daily.data.sleep.created', user, data];
};

/** A user in the service's list, with a fallback time zone. */
const listed = (user: string, id: string): Event => {
  const fallback_time_zone = { id, source_slug: 'manual', updated_at: '2026-01-01T00:00:00Z' };
  return ['users', 'service.user.polled', user, { user_id: user, client_user_id: user, fallback_time_zone }];
};

const STEPS = 10;

/** The views to create, in their order: the wanted ones, and those that they read. */
function viewsFor(wanted: readonly string[], dataset: Dataset): ShownView[] {
  const dialect = bigQueryViews(dataset);
  const all = views(dialect, tables, declared, {}).filter(isShown);
  const needed = new Set(wanted);
  for (const { name, query } of all.toReversed())
    if (needed.has(name)) for (const other of all) if (query.includes(dialect.table(other.name))) needed.add(other.name);
  return all.filter(({ name }) => needed.has(name));
}

describe.skipIf(problem !== undefined && process.env.CI === undefined)(
  `BigQuery${problem === undefined ? '' : `: ${problem.message}`}`,
  () => {
    let big: ProvidedBigQuery;
    beforeAll(async () => {
      big = await provideBigQuery({ own: true });
    });
    afterAll(() => big?.stop());

    test('incremental models equal the views after a random history', async () => {
      const { project, apiEndpoint, location } = big;
      const dataset = DATASET;
      const client = big.client();
      await client.createDataset(dataset, { location: location ?? 'US' });
      const settings = {
        ...bigQueryOptions.parse({
          type: 'bigquery',
          project,
          dataset,
          api_endpoint: apiEndpoint,
          merge_every_s: 0,
          old_after_s: 0,
        }),
        privacy,
        tables,
        patience: { pauseMs: 10, mostMs: 100, limitMs: 20 },
      };
      const random = randomOf(1);
      const history = await History.begin(random, () => openBigQueryWarehouse(settings), { days: 3, isFar: false, drift: 3 });
      for (const view of viewsFor([...followed.map(({ name }) => name), CHANGED_PERSON_DAYS], { project, dataset }))
        await client.query({ query: createView({ project, dataset }, view) });
      const rows: Rows = async (sql) => {
        const reader = await openBigQueryReader({ ...settings, declared });
        return (await Array.fromAsync((await reader.query(sql)).rows)).flat();
      };
      const models = new IncrementalModels(rows, followed);
      const follow = async (events: readonly Event[]): Promise<number> => {
        await history.merge(events);
        return (await models.update()).differing;
      };
      await follow([steps('x', -25), steps('x', -17)]);
      // The third day of March begins the calendar of the user, with the first one.
      expect(await follow([steps('x', -7)])).toBeGreaterThan(25);
      history.wait(5 * DAY);
      await follow([steps('y', -7)]);
      // The last receipt of anybody was that of this user.
      await history.erase('y');
      expect((await models.update()).differing).toBeGreaterThan(4);
      // A time zone moves a reading of another month.
      await follow([reading('z')]);
      expect(await follow([steps('z', -17, 'America/Los_Angeles')])).toBeGreaterThan(1);
      await follow([reading('v')]);
      expect(await follow([listed('v', 'America/Los_Angeles')])).toBeGreaterThan(1);
      // A night is in another month than the calendar date of its record.
      expect(await follow([misdated('z')])).toBeGreaterThan(0);
      // The first day after a week without a receipt completes the days of another month.
      history.wait(7 * DAY);
      await follow([steps('x', 30), steps('x', 31), steps('x', 32)]);
      for (const user of ['z', 'v', 'z']) {
        history.wait(DAY);
        await follow([steps(user, -7)]);
      }
      history.wait(4 * DAY);
      await follow([steps('x', 39)]);
      const updates: Awaited<ReturnType<IncrementalModels['update']>>[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        await history.merge(history.events());
        if (step === STEPS - 2) await history.erase('u2');
        updates.push(await models.update());
      }
      expect(updates.filter(({ differing }) => differing > 0).length).toBeGreaterThan(STEPS / 2);
      expect(updates.some(({ left }) => left > 0)).toBe(true);
      await history.close();
    });
  },
);
