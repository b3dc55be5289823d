import { tables } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { View, ViewDialect } from '../../../connectors/warehouses/views/dialect.ts';
import { views } from '../../../connectors/warehouses/views/views.ts';
import type { LoadedViews, OpenViews, Relation, Row } from './loaded-views.ts';
import { type Answer, answers } from './questions.answers.ts';
import { careless } from './questions.careless.ts';
import { labOrders, labResults } from './questions.labs.ts';
import { type Question, questions, withRelations } from './questions.page.ts';
import { questionPeople } from './questions.people.ts';
import { storedTables, storedViews } from './stored-tables.ts';

/** Runs the queries of docs/guides/questions.md, and compares their results with answers in plain code. */

const people = questionPeople();
const { connections, deliveries, connection_events, ...rowsOfPeople } = people;
const rows: Readonly<Record<string, readonly Row[]>> = {
  ...Object.fromEntries(
    Object.entries(rowsOfPeople).map(([name, list]) => [name, list.map((row, id) => ({ id: `${name}-${id}`, ...row }))]),
  ),
  timeseries: people.timeseries.map((row) => ({ ...row, sample_type: '', source_workout_id: '' })),
  blood_pressure: people.blood_pressure.map((row) => ({
    ...row,
    resource: 'blood_pressure',
    time_basis: 'utc',
    sample_type: '',
    source_workout_id: '',
  })),
  workouts: people.workouts.map(({ measures, ...row }) => ({ ...row, ...measures })),
  lab_orders: labOrders.map((row) => ({ ...row })),
  deliveries: deliveries.map((row, source_offset) => ({
    source_offset,
    stream: 'activity',
    _loaded_at: '2026-04-02T00:00:00Z',
    ...row,
  })),
};

/** The connections with their first event. Those without a state have only events. */
const keyOf = ({ user_id, provider }: { user_id: string; provider: string }): string => `${user_id} ${provider}`;
const eventsOf = Map.groupBy(connection_events, keyOf);
const connected: Row[] = [...new Set([...eventsOf.keys(), ...connections.map(keyOf)])].map((key) => {
  const [user_id, provider] = key.split(' ');
  const [first = null] = (eventsOf.get(key) ?? []).map(({ _received_at }) => _received_at).toSorted();
  return { user_id, provider, status: connections.find((one) => keyOf(one) === key)?.status ?? null, connected_at: first };
});

const usualTables = storedTables(rows);
const relations: Relation[] = [
  ...usualTables,
  ...Object.entries({ lab_results: labResults, connection_events, devices: [], meal: [], electrocardiogram: [], profile: [] })
    .filter(([name]) => !usualTables.some((one) => one.name === name))
    .map(([name, list]) => ({ name, rows: list.map((row, _offset) => ({ _offset, ...row })) })),
  {
    name: 'connections',
    columns: { user_id: 'string', provider: 'string', status: 'string', connected_at: 'timestamp' },
    rows: connected,
  },
  { name: 'historical_pull_board', columns: { user_id: 'string', standing: 'string' }, rows: [] },
];

const further = new Set([
  'quality_days',
  'quality_flags',
  'lab_orders_events',
  'lab_results_items',
  'lab_order_history',
  'lab_order_progress',
  'lab_result_history',
  'provider_latency',
  'people',
]);
const allViews = (dialect: ViewDialect): View[] => [
  ...storedViews(dialect),
  ...views(dialect, tables, tables, {}).filter(({ name }) => further.has(name)),
];

/** Views that tables replace, because many queries and views read them, and each of them takes seconds. Those they read come first. */
const computedOnce = [
  'timeseries_local',
  'blood_pressure_local',
  'source_days',
  'metric_days',
  'sleep_nights',
  'workouts_duplicates',
  'observations',
  'quality_days',
  'quality_flags',
  'person_sources',
  'person_days',
  'person_calendar',
  'steps_hours',
  'glucose_days',
  'people',
];

/** Writes a query as {@link LoadedViews} expects it. */
const marked = (query: string, names: ReadonlySet<string>): string =>
  withRelations(query, (name) => (names.has(name) ? `{${name}}` : undefined));

/** Replaces each exact number by the one that was found, if rounding explains the difference. */
function roundedAs(found: readonly Row[], { rows: exact, digits }: Answer): Row[] {
  return exact.map((row, index) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const [other, decimals] = [found[index]?.[name], digits[name]];
        if (decimals === undefined || typeof value !== 'number' || typeof other !== 'number') return [name, value];
        const isRounded = Number(other.toFixed(decimals)) === other && Math.abs(other - value) <= 0.5 * 10 ** -decimals + 1e-6;
        return [name, isRounded ? other : value];
      }),
    ),
  );
}

export function questionsSuite(warehouse: string, open: OpenViews, queryOf: (question: Question) => string): void {
  describe(warehouse, () => {
    const expected = answers(people);
    const page = questions();
    let loaded: LoadedViews;
    const names = new Set(relations.map(({ name }) => name));
    beforeAll(async () => {
      loaded = await open(relations, (dialect) => {
        const created = allViews(dialect);
        for (const { name } of created) names.add(name);
        return created;
      });
      for (const name of computedOnce) {
        await loaded.query(`create table {${name}_once} as select * from {${name}}`);
        await loaded.query(`drop view {${name}}`);
        await loaded.query(`create table {${name}} as select * from {${name}_once}`);
      }
      // The local BigQuery server takes minutes to translate the views.
    }, 900_000);
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    test('the page has the fifteen questions', () => {
      expect(page.map(({ heading }) => heading)).toEqual(Object.keys(expected));
    });

    test.each(page)('$heading', async (question) => {
      const found = await loaded.query(marked(queryOf(question), names));
      expect(found.length).toBeGreaterThan(0);
      expect(found).toEqual(roundedAs(found, expected[question.heading]!));
    });

    test.each(careless)('$heading A query that $mistake has another answer', async ({ heading, replaced, by }) => {
      const query = queryOf(page.find((one) => one.heading === heading)!);
      expect(query).toContain(replaced);
      const found = await loaded.query(marked(query.replaceAll(replaced, by), names));
      expect(found).not.toEqual(roundedAs(found, expected[heading]!));
    });
  });
}
