import { resourceColumns, timeseriesResources } from '@aorta/schemas';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceView } from '../../../connectors/warehouses/views/resource.ts';
import { conversion, measureOfSamples, unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import { landed, type OpenPlainWarehouse, type PlainWarehouse } from './plain-tables.ts';
import { canonical, units, withoutUnit } from './units.oracle.ts';

const resources = timeseriesResources.filter(({ stream }) => stream === 'timeseries');
const timeseries = landed.find(({ name }) => name === 'timeseries')!;
const types = ['', 'cholesterol/hdl', 'cholesterol/triglycerides', 'cholesterol/vldl', 'lead_1', 'stood'];

const mixedCase = (text: string, upper: number): string =>
  [...text].map((letter, index) => ((upper >> (index % 8)) & 1 ? letter.toUpperCase() : letter)).join('');

const sample = fc.record({
  resource: fc.constantFrom(...resources.map(({ resource }) => resource)),
  sample_type: fc.constantFrom(...types),
  value: fc.oneof(fc.integer({ min: -300, max: 50_000 }), fc.double({ min: -1000, max: 1000, noNaN: true })),
  unit: fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.constantFrom(...units), fc.integer({ min: 0, max: 255 }))
        .map(([one, upper]) => mixedCase(one, upper)),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
});

/** Random samples, and one in the declared unit for each resource. The user's id identifies the sample. */
const samples = [
  ...fc.sample(sample, { numRuns: 6000, seed: 25 }),
  ...resources.map(({ resource, unit }) => ({ resource, sample_type: '', value: 7, unit })),
].map((one, index) => ({ ...one, user_id: String(index) }));

function expectEqual(found: readonly unknown[][], hasUnit: (index: number) => boolean = () => true): void {
  expect(found).toHaveLength(samples.length);
  for (const [user, value, unit] of found) {
    const { resource, sample_type: type, unit: sent, value: sentValue } = samples[Number(user)]!;
    const expected = canonical(resource, type, sent, sentValue);
    const at = `${resource} ${type} ${sent}`;
    if (hasUnit(Number(user))) expect([at, unit]).toEqual([at, expected.unit]);
    if (expected.value === null) expect([at, value]).toEqual([at, null]);
    else expect(Math.abs((value as number) - expected.value), at).toBeLessThanOrEqual(1e-12 + 1e-9 * Math.abs(expected.value));
  }
}

/** Compares the canonical values of random samples with those of plain code. */
export function canonicalUnitsCases(open: OpenPlainWarehouse): void {
  describe('samples in random units', () => {
    let warehouse: PlainWarehouse;
    beforeAll(async () => {
      warehouse = await open(['timeseries']);
      await warehouse.insert('timeseries', samples);
      // The local time has tests of its own.
      const { table } = warehouse.dialect;
      await warehouse.createView({
        name: 'timeseries_local',
        query: `select *, 'none' as source, 'none' as local_date_basis, start_at as local_at, 0 as local_hour from ${table('timeseries')}`,
      });
    });
    afterAll(() => warehouse?.close());

    test('the join for all resources converts each unit, or gives NULL for an unknown one', async () => {
      const { dialect } = warehouse;
      await warehouse.createView(unitConversionsView(dialect));
      const { join, value, unit } = conversion(dialect, measureOfSamples(dialect), 'value', 't.unit');
      expectEqual(
        await warehouse.rows(`select user_id, ${value} as v, ${unit} as u from ${dialect.table('timeseries')} t ${join}`),
      );
    });

    test('the view of each resource has the same values', async () => {
      const selects = resources.map((declared) => {
        const { query } = resourceView(warehouse.dialect, declared, timeseries);
        return `select user_id, value_canonical, unit_canonical from (${query}) of_${declared.resource}`;
      });
      expectEqual(await warehouse.rows(selects.join('\nunion all\n')));
    });

    test('the column that is named after the unit has the converted values', async () => {
      const selects = resources.map((declared) => {
        const { query } = resourceView(warehouse.dialect, declared, timeseries);
        return `select user_id, ${resourceColumns(declared).value} as v from (${query}) of_${declared.resource}`;
      });
      const found = await warehouse.rows(selects.join('\nunion all\n'));
      // A stage is a code, which has no canonical unit but stays a stage.
      const isStage = (user: unknown): boolean => samples[Number(user)]!.resource === 'hypnogram';
      const stages = found.filter(([user]) => isStage(user));
      for (const [user, value] of stages) {
        const { unit, value: sent } = samples[Number(user)]!;
        expect(value).toEqual(withoutUnit(unit) || unit!.toLowerCase() === 'stage' ? sent : null);
      }
      expect(stages.some(([, value]) => value !== null)).toBe(true);
      const others = stages.map(([user]) => [user, null]);
      expectEqual([...found.filter(([user]) => !isStage(user)), ...others], () => false);
    });
  });
}
