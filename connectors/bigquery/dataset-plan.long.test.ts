import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import { tables } from '@aorta/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { privacyOptions } from '../privacy.ts';
import type { ApplyProgress } from '../warehouse.ts';
import { applyBigQuery, type PlanningOptions, planBigQuery } from './dataset-plan.ts';
import { bigQueryOptions } from './options.ts';
import type { TableField } from './tables/fields.ts';

const problem = await whyNoBigQuery({ own: true });

/** Views with functions or wildcard tables that the local server does not support. */
const notHere = (name: string): boolean => name.endsWith('_landed') || ['meal_foods', 'continuous_query_rows'].includes(name);

describe.skipIf(problem !== undefined)(`plan and apply${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let provided: ProvidedBigQuery;
  let options: PlanningOptions;

  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
    const { project, apiEndpoint } = provided;
    const { type: _, ...settings } = bigQueryOptions.parse({
      type: 'bigquery',
      project,
      dataset: 'planned',
      location: provided.location ?? 'US',
      api_endpoint: apiEndpoint,
    });
    // The local server does not support all views of columns with free text, so these columns are withheld.
    // `test/conformance/views/views.test.ts` covers the views with the default privacy settings.
    options = { ...settings, privacy: privacyOptions.parse({ free_text: false }), tables };
  });
  afterAll(() => provided?.stop());

  test('apply creates only what is missing and leaves other tables alone', async () => {
    const client = provided.client();
    const planned = await planBigQuery(options);
    expect(planned.every(({ kind }) => kind === 'create')).toBe(true);
    expect(planned.map(({ of }) => of)).toContain('dataset');
    const told: ApplyProgress[] = [];
    const first = await applyBigQuery(options, (progress) => told.push(progress));
    // Progress is reported before each change. At the end, no change is left.
    expect(told[0]).toMatchObject({ done: 0, total: planned.length, next: { of: 'dataset' } });
    expect(told.map(({ done }) => done)).toEqual([...told.map(({ done }) => done)].sort((a, b) => a - b));
    expect(new Set(told.flatMap(({ next }) => next?.name ?? []))).toEqual(new Set(planned.map(({ name }) => name)));
    const tried = first.done.length + first.left.length;
    expect(told.at(-1)).toEqual({ done: tried, total: tried, next: undefined });
    const made = new Set(first.done.map(({ name }) => name));
    expect(planned.filter(({ name }) => !notHere(name) && !made.has(name))).toEqual([]);
    expect(first.left.filter(({ name }) => !notHere(name))).toEqual([]);
    expect(first.left.map(({ isMissing }) => isMissing)).toEqual(first.left.map(() => true));

    // Adds a table that Aorta did not create, and replaces one of Aorta's tables with an older version of it.
    const dataset = client.dataset('planned');
    await dataset.createTable('of_others', { schema: { fields: [{ name: 'a', type: 'STRING' }] } });
    await dataset.table('sleep').delete();
    const [sleep] = planned.filter(({ of, name }) => of === 'table' && name === 'sleep');
    const { schema, ...rest } = sleep!.resource as { schema: { fields: { name: string }[] } };
    const fields = schema.fields.filter(({ name }) => name !== 'score');
    await dataset.createTable('sleep', { ...rest, schema: { fields } } as never);
    const [difference, ...others] = (await planBigQuery(options)).filter(({ name }) => !notHere(name));
    expect([difference, others]).toMatchObject([{ kind: 'change', name: 'sleep', what: 'column score is missing' }, []]);
    const second = await applyBigQuery(options);
    expect(second.done.map(({ name }) => name)).toEqual(['sleep']);
    expect(second.left.filter(({ name }) => !notHere(name))).toEqual([]);
  });

  test('apply describes each view and its columns, also if somebody changed a description', async () => {
    const view = provided.client().dataset('planned').table('heartrate');
    const descriptions = async () => {
      const [{ description, schema }] = await view.getMetadata();
      return { description, columns: schema.fields.map((field: TableField) => field.description) };
    };
    const before = await descriptions();
    expect(before.description).toBe('The samples of the resource heartrate.');
    expect(before.columns).toContain(
      'The value in the declared unit; NULL if it was sent in a unit that cannot be converted. (bpm)',
    );
    expect(before.columns).not.toContain(undefined);
    const [{ schema }] = await view.getMetadata();
    await view.setMetadata({
      schema: { fields: schema.fields.map((field: TableField) => ({ ...field, description: 'Nothing.' })) },
    });
    const changed = (await planBigQuery(options)).filter(({ name }) => !notHere(name));
    expect(changed).toMatchObject([{ kind: 'change', of: 'view', name: 'heartrate', what: 'has different descriptions' }]);
    await applyBigQuery(options);
    expect(await descriptions()).toEqual(before);
  });

  test('apply creates nothing if the dataset is in a different location', async () => {
    const dataset = 'elsewhere';
    await provided.client().createDataset(dataset, { location: 'US' });
    const { done, left } = await applyBigQuery({ ...options, dataset, location: 'EU' });
    expect([done, left[0]]).toMatchObject([[], { kind: 'refused', of: 'dataset', what: 'is in US, but EU is configured' }]);
    expect((await provided.client().dataset(dataset).getTables())[0]).toEqual([]);
  });
});
