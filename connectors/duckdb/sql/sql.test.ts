import { tables as declared } from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import { landedTable, privacyOptions } from '../../privacy.ts';
import { views } from '../../warehouses/views/views.ts';
import { duckDbView, duckDbViews } from '../views-dialect.ts';
import { bookkeeping, createTable, databaseTables, timeseriesView } from './create.ts';
import { compareRows, countCompared, deleteSuperseded, deliveryRows, insertRows, repeatsKey, tableRows } from './merge-rows.ts';
import { countContested, dropUnusedEvents, foldEvents, insertEvents, insertSeries, mergeSamples } from './merge-samples.ts';
import { outranks, text } from './types.ts';

/** The golden files contain the complete statements sent to DuckDB. `vitest -u` rewrites them. */

const tables = declared.map((one) => landedTable(one, privacyOptions.parse({})));
const table = (name: string) => tables.find((one) => one.name === name)!;
const batches = [
  { events: 'landed.e1', samples: 'landed.s1', sampleColumns: ['start_at', 'value'] },
  { events: 'landed.e2', samples: 'landed.s2', sampleColumns: ['start_at', 'timezone_offset_s', 'value'] },
];
const days = [20_540, 20_541];
const statements = (...list: string[]): string => `${list.join(';\n\n')};\n`;

describe('SQL', () => {
  test('the statements that create tables and views match the golden file', async () => {
    const samples = tables.filter(({ shape }) => shape === 'timeseries').map(timeseriesView);
    await expect(
      statements(
        ...bookkeeping(),
        ...databaseTables(tables).map(createTable),
        ...samples,
        ...views(duckDbViews, tables, declared, {}).map(duckDbView),
      ),
    ).toMatchFileSnapshot('golden/create.sql');
  });

  test('the statements that merge summaries match the golden file', async () => {
    const rows = tableRows(table('activity'), ['landed.e1', 'landed.e2']);
    await expect(
      statements(repeatsKey(rows), compareRows(rows, true), countCompared, deleteSuperseded(rows), insertRows(rows, true, true)),
    ).toMatchFileSnapshot('golden/merge-activity.sql');
  });

  test('a merge of events whose keys are distinct and new to the table needs only two statements', async () => {
    const rows = tableRows(table('connection_events'), ['landed.e1'], true);
    await expect(statements(compareRows(rows, false), insertRows(rows, false, false))).toMatchFileSnapshot(
      'golden/merge-connection-events.sql',
    );
  });

  test('the statements that merge samples of recent dates match the golden file', async () => {
    const timeseries = table('timeseries');
    await expect(
      statements(
        insertSeries(timeseries, batches),
        foldEvents(timeseries, batches, { from: 20_540, to: 20_541 }),
        insertEvents(timeseries, batches),
        countContested,
        mergeSamples(timeseries, batches, { days, others: true, contested: 'some', sorted: false }),
        dropUnusedEvents(timeseries),
      ),
    ).toMatchFileSnapshot('golden/merge-timeseries-recent.sql');
  });

  test('a merge of old dates sorts the samples by time', async () => {
    const fold = { days, others: true, contested: 'all', sorted: true } as const;
    await expect(statements(mergeSamples(table('timeseries'), batches, fold))).toMatchFileSnapshot(
      'golden/merge-timeseries-old.sql',
    );
  });

  test('a merge of samples whose keys cannot collide does not deduplicate them', async () => {
    const fold = { days, others: false, contested: 'none', sorted: false } as const;
    await expect(statements(mergeSamples(table('timeseries'), batches, fold))).toMatchFileSnapshot(
      'golden/merge-timeseries-usual.sql',
    );
  });

  test('the statements that merge deliveries match the golden file', async () => {
    const landed = [
      { table: 'landed.e1', stream: 'timeseries' },
      { table: 'landed.e3', stream: 'dead_letters' },
    ];
    const rows = deliveryRows(landed, days, true);
    await expect(statements(compareRows(rows, true), insertRows(rows, true, true))).toMatchFileSnapshot(
      'golden/merge-deliveries.sql',
    );
  });

  test('strings are quoted, and versions are compared column by column', () => {
    expect(text("it's")).toBe("'it''s'");
    expect(outranks(['s.a'], ['t.a'])).toBe('s.a > t.a');
    expect(outranks(['s.a', 's.b'], ['t.a', 't.b'])).toBe('(s.a, s.b) > (t.a, t.b)');
  });
});
