import { tables as declared } from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import { landedTable, privacyOptions } from '../../privacy.ts';
import { duckDbView, duckDbViews } from '../../views/duckdb-dialect.ts';
import { views } from '../../views/views.ts';
import { bookkeeping, createTable, databaseTables, timeseriesView } from './create.ts';
import { knowsDelivery, mergeDeliveries, repeatsDelivery } from './merge-deliveries.ts';
import { knowsKey, mergeRows, repeatsKey } from './merge-rows.ts';
import { countContested, dropUnusedEvents, foldEvents, insertEvents, insertSeries, mergeSamples } from './merge-samples.ts';
import { newer, text } from './types.ts';

/** What is sent to DuckDB, whole: read the golden files to see it; `vitest -u` writes them again. */

const tables = declared.map((one) => landedTable(one, privacyOptions.parse({})));
const table = (name: string) => tables.find((one) => one.name === name)!;
const batches = [
  { events: 'landed.e1', samples: 'landed.s1', sampleColumns: ['start_at', 'value'] },
  { events: 'landed.e2', samples: 'landed.s2', sampleColumns: ['start_at', 'timezone_offset_s', 'value'] },
];
const days = [20_540, 20_541];
const statements = (...list: string[]): string => `${list.join(';\n\n')};\n`;

describe('SQL', () => {
  test('tables and views', async () => {
    const samples = tables.filter(({ shape }) => shape === 'timeseries').map(timeseriesView);
    await expect(
      statements(
        ...bookkeeping(),
        ...databaseTables(tables).map(createTable),
        ...samples,
        ...views(duckDbViews, tables, declared).map(duckDbView),
      ),
    ).toMatchFileSnapshot('golden/create.sql');
  });

  test('a merge of a summary', async () => {
    const landed = ['landed.e1', 'landed.e2'];
    await expect(statements(repeatsKey(table('activity'), landed), mergeRows(table('activity'), landed))).toMatchFileSnapshot(
      'golden/merge-activity.sql',
    );
  });

  test('a merge of events whose keys are different ones', async () => {
    await expect(statements(mergeRows(table('connection_events'), ['landed.e1'], { keys: 'distinct' }))).toMatchFileSnapshot(
      'golden/merge-connection-events.sql',
    );
  });

  test('a merge of keys that are new to the table: appended', async () => {
    const [events, landed] = [table('connection_events'), ['landed.e1', 'landed.e2']];
    const deliveries = [
      { table: 'landed.e1', stream: 'connection_events' },
      { table: 'landed.e2', stream: 'connection_events' },
    ];
    await expect(
      statements(
        knowsKey(events, landed),
        mergeRows(events, landed, { keys: 'new', suppressing: true }),
        knowsDelivery(deliveries, days),
        mergeDeliveries(deliveries, days, { keys: 'new', suppressing: true }),
      ),
    ).toMatchFileSnapshot('golden/merge-new-keys.sql');
  });

  test('a merge of samples of recent dates', async () => {
    const timeseries = table('timeseries');
    await expect(
      statements(
        insertSeries(timeseries, batches),
        foldEvents(timeseries, batches, 20_540, 20_541),
        insertEvents(timeseries, batches),
        countContested,
        mergeSamples(timeseries, batches, { days, others: true, contested: 'some', sorted: false }),
        dropUnusedEvents(timeseries),
      ),
    ).toMatchFileSnapshot('golden/merge-timeseries-recent.sql');
  });

  test('a merge of samples of old dates puts them next to each other', async () => {
    const fold = { days, others: true, contested: 'all', sorted: true } as const;
    await expect(statements(mergeSamples(table('timeseries'), batches, fold))).toMatchFileSnapshot(
      'golden/merge-timeseries-old.sql',
    );
  });

  test('a merge of samples that cannot collide, all of recent dates: the usual one', async () => {
    const fold = { days, others: false, contested: 'none', sorted: false } as const;
    await expect(statements(mergeSamples(table('timeseries'), batches, fold))).toMatchFileSnapshot(
      'golden/merge-timeseries-usual.sql',
    );
  });

  test('a merge of deliveries', async () => {
    const landed = [
      { table: 'landed.e1', stream: 'timeseries' },
      { table: 'landed.e3', stream: 'dead_letters' },
    ];
    await expect(statements(repeatsDelivery(['landed.e1', 'landed.e3']), mergeDeliveries(landed, days))).toMatchFileSnapshot(
      'golden/merge-deliveries.sql',
    );
  });

  test('texts are quoted, versions compared column by column', () => {
    expect(text("it's")).toBe("'it''s'");
    expect(newer('s', 't', ['_reader'])).toBe('s._reader > t._reader');
    expect(newer('s', 't', ['a', 'b'])).toBe('(s.a, s.b) > (t.a, t.b)');
  });
});
