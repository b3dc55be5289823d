import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asView } from '../../../connectors/warehouses/kept/kept-table.ts';
import { metricDays } from '../../../connectors/warehouses/kept/metric-days.ts';
import { timeseriesDaily } from '../../../connectors/warehouses/kept/timeseries-daily.ts';
import { glucoseDaysView } from '../../../connectors/warehouses/views/glucose-days.ts';
import { localSamplesView } from '../../../connectors/warehouses/views/local-time.ts';
import { unitConversionsView } from '../../../connectors/warehouses/views/unit-conversions.ts';
import type { LoadedViews, OpenViews, Row } from './loaded-views.ts';
import { timeZones } from './people.fixture.ts';
import { declared } from './stored-tables.ts';

/** Glucose at the edges of its rules. `person-days.suite.ts` compares random days with an oracle. */

const reading = (user_id: string, start_at: string, value: number, unit = 'mg/dL'): Row => ({
  user_id,
  resource: 'glucose',
  provider: 'dexcom_v3',
  source_type: 'automatic',
  sample_type: '',
  source_workout_id: '',
  timezone_offset_s: 0,
  time_basis: 'utc',
  start_at,
  local_date: start_at.slice(0, 10),
  value,
  unit,
});

/** A reading every 15 minutes for a number of days, from 1 March 2026. */
const sensor = (user: string, days: number): Row[] =>
  Array.from({ length: days * 96 }, (_, index) =>
    reading(user, new Date(Date.UTC(2026, 2, 1) + index * 15 * 60_000).toISOString(), index % 2 === 0 ? 100 : 160),
  );

/** Readings five minutes apart, at the edges of the bands. */
const edges: readonly (readonly [value: number, unit: string, band: string])[] = [
  [53.4, 'mg/dL', 'very_low'],
  [53.6, 'mg/dL', 'low'],
  [69.4, 'mg/dL', 'low'],
  [69.6, 'mg/dL', 'in_range'],
  // 3.9 mmol/L are 70.27 mg/dL, and 10.0 mmol/L are 180.18 mg/dL.
  [3.9, 'mmol/L', 'in_range'],
  [10, 'mmol/L', 'in_range'],
  [180.4, 'mg/dL', 'in_range'],
  [180.6, 'mg/dL', 'high'],
  [13.9, 'mmol/L', 'high'],
  [250.4, 'mg/dL', 'high'],
  [250.6, 'mg/dL', 'very_high'],
];

export function glucoseDaysSuite(warehouse: string, open: OpenViews): void {
  describe(`glucose, on ${warehouse}`, () => {
    let loaded: LoadedViews;
    beforeAll(async () => {
      const rows = [
        ...sensor('ten-days', 10),
        ...sensor('nine-days', 9),
        ...edges.map(([value, unit], index) =>
          reading('edges', new Date(Date.UTC(2026, 2, 1, 12, index * 5)).toISOString(), value, unit),
        ),
        // Averages of the last three hours, each hour.
        ...Array.from({ length: 24 }, (_, hour) => ({
          ...reading('averages', new Date(Date.UTC(2026, 2, 1, hour)).toISOString(), 100),
          end_at: new Date(Date.UTC(2026, 2, 1, hour + 3)).toISOString(),
        })),
        reading('midnight', '2026-03-01T23:50:00Z', 100),
        reading('midnight', '2026-03-02T03:00:00Z', 100),
      ];
      const tables = ['activity', 'body'].map((name) => ({ name, rows: [] }));
      loaded = await open([{ name: 'timeseries', rows }, ...tables, ...timeZones([])], (dialect) => [
        unitConversionsView(dialect),
        localSamplesView(dialect, declared('timeseries')),
        asView(timeseriesDaily, dialect),
        asView(metricDays({}), dialect),
        glucoseDaysView(dialect),
      ]);
    });
    afterAll(() => loaded?.[Symbol.asyncDispose]());

    const daysOf = (user: string): Promise<Row[]> =>
      loaded.query(`select * from {glucose_days} where user_id = '${user}' order by local_date`);

    test('the indicator is NULL until readings cover 70 % of 14 days', async () => {
      // Half of the readings are 100 mg/dL and half are 160: 3.31 + 0.02392 × 130.
      const ten = await daysOf('ten-days');
      expect(ten.map(({ gmi_pct }) => gmi_pct)).toEqual([...Array(9).fill(null), 6.4196]);
      expect(ten.at(-1)!.coverage_14d_pct).toBeCloseTo(1000 / 14, 6);
      expect((await daysOf('nine-days')).map(({ gmi_pct }) => gmi_pct)).toEqual(Array(9).fill(null));
      expect(ten[4]).toMatchObject({ readings: 96, covered_s: 86_400, coverage_pct: 100, mean_mg_dl: 130, in_range_pct: 100 });
      // Deviations of 30 from the mean of 130, with n − 1.
      expect(ten[4]!.cv_pct).toBeCloseTo((100 * Math.sqrt((96 * 900) / 95)) / 130, 8);
    });

    test('each reading counts in the band of its whole mg/dL', async () => {
      const [day] = await daysOf('edges');
      // The last reading has no next one, so it lasts 20 minutes.
      const secondsOf = (band: string): number =>
        edges.reduce((sum, [, , of], index) => sum + (of === band ? (index === edges.length - 1 ? 1200 : 300) : 0), 0);
      for (const band of ['very_low', 'low', 'in_range', 'high', 'very_high'])
        expect([band, day![`${band}_s`]]).toEqual([band, secondsOf(band)]);
    });

    test('a reading does not last beyond the next one, even if its end is later', async () => {
      expect(await daysOf('averages')).toMatchObject([{ readings: 24, covered_s: 86_400, coverage_pct: 100 }]);
    });

    test('a reading does not last beyond its day', async () => {
      expect((await daysOf('midnight')).map(({ covered_s, cv_pct }) => [covered_s, cv_pct])).toEqual([
        [600, null],
        [1200, null],
      ]);
    });
  });
}
