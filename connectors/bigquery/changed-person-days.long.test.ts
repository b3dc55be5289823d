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

const place = { dataset: 'changed_days' };

/** An event of one source, a number of days before the first of the random ones. */
const steps = (user: string, daysBefore: number): Event => {
  const calendar_date = new Date(BEGIN - daysBefore * DAY).toISOString().slice(0, 10);
  const data = {
    id: `${user} ${calendar_date}`,
    user_id: user,
    calendar_date,
    steps: 1,
    source: { provider: 'oura', type: 'ring' },
  };
  return ['activity', 'daily.data.activity.created', user, data];
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
      const { dataset } = place;
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
      await follow([steps('x', 25), steps('x', 17)]);
      // The third day of March begins the calendar of the user, with the first one.
      expect(await follow([steps('x', 7)])).toBeGreaterThan(25);
      history.wait(5 * DAY);
      await follow([steps('y', 7)]);
      // The last receipt of anybody was that of this user.
      await history.erase('y');
      expect((await models.update()).differing).toBeGreaterThan(4);
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
