import { deliveries, type StreamName } from '@aorta/schemas';
import { describe, expect, test } from 'vitest';
import { tableFields } from '../tables/fields.ts';
import { dataset, landed, named, tables } from './landed.fixture.ts';
import { landedFields } from './landed-rows.ts';
import { lackingColumns, MOST_DAYS, mergeStatement } from './merge.ts';
import { newer, quoted, text } from './types.ts';

/** The golden files hold the complete statements sent to BigQuery. `vitest -u` rewrites them. */

const days = [20_540, 20_541];

describe('a merge', () => {
  test('a merge upserts summaries', async () => {
    const batches = [landed('activity', 0, []), landed('activity', 100, [])];
    const { sql, bounds } = mergeStatement({ dataset, target: named('activity'), extent: 'recent', batches });
    expect(bounds).toBeUndefined();
    await expect(sql).toMatchFileSnapshot('golden/merge-activity.sql');
  });

  test('a merge upserts summaries even if an older batch lacks a field, a list and a column', async () => {
    const without = ['events.status_detail', 'order_transaction_orders', 'lab_name'];
    const batches = [landed('lab_orders', 0, [], without), landed('lab_orders', 100, [])];
    const { sql } = mergeStatement({ dataset, target: named('lab_orders'), extent: 'recent', batches });
    await expect(sql).toMatchFileSnapshot('golden/merge-lab-orders-older.sql');
  });

  test('a merge skips columns of a privacy class that was switched off after the batch was landed', () => {
    const target = { ...named('lab_orders'), withheld: ['notes', 'events[].status_detail'] };
    const batch = landed('lab_orders', 0, []);
    const fields = landedFields(batch.fields, target);
    const events = fields.find(({ name }) => name === 'events');
    expect(batch.fields.length - fields.length).toBe(1);
    expect(fields.map(({ name }) => name)).not.toContain('notes');
    expect(events!.fields!.map(({ name }) => name)).toEqual(['event_id', 'created_at', 'status']);
    const samples = landedFields(landed('notes', 0, []).fields, { ...named('notes'), withheld: ['text'] });
    const [list] = samples.filter(({ name }) => name === '_samples');
    expect(list!.fields!.map(({ name }) => name)).not.toContain('text');
    expect(list!.fields!.map(({ name }) => name)).toContain('start_at');
  });

  test('a merge upserts samples of recent dates even if an older batch lacks columns', async () => {
    const batches = [
      landed('timeseries', 0, [20_540], ['_samples.delivery_form', 'legacy_provider']),
      landed('timeseries', 100, days),
    ];
    const { sql, bounds } = mergeStatement({ dataset, target: named('timeseries'), extent: 'recent', batches });
    expect(bounds).toEqual(days);
    await expect(sql).toMatchFileSnapshot('golden/merge-timeseries-recent.sql');
  });

  test('a merge of old dates names each date of its samples, but no dates in between', async () => {
    const batches = [landed('timeseries', 0, [14_610, 20_100, 20_300])];
    const { sql } = mergeStatement({ dataset, target: named('timeseries'), extent: 'old', batches });
    await expect(sql).toMatchFileSnapshot('golden/merge-timeseries-old.sql');
  });

  test('a merge upserts deliveries from any stream', async () => {
    const batches = [landed('timeseries', 0, [20_541]), landed('dead_letters', 7, days)];
    const { sql } = mergeStatement({ dataset, target: named('deliveries'), extent: 'recent', batches });
    await expect(sql).toMatchFileSnapshot('golden/merge-deliveries.sql');
  });

  test('if a batch lacks a column that a newer version added, a merge fills the column with null', async () => {
    const target = named('activity');
    const fields = tableFields(target);
    const newest = { name: 'brand_new', type: 'JSON', mode: 'NULLABLE' };
    const other = { name: 'also_new', type: 'STRING', mode: 'REPEATED' };
    const batch = landed('activity', 0, []);
    const later = { ...landed('activity', 100, []), fields: [...batch.fields, { ...newest, type: 'STRING' }] };
    const { sql } = mergeStatement({
      dataset,
      target,
      extent: 'recent',
      batches: [batch, later],
      fields: [...fields, newest, other],
    });
    expect(sql).toContain('CAST(NULL AS JSON) AS brand_new');
    expect(sql).toContain('SAFE.PARSE_JSON(l.brand_new');
    expect(sql).toContain('brand_new = S.brand_new');
    expect(sql).toContain('also_new = S.also_new');
    expect(lackingColumns({ dataset, target, extent: 'recent', batches: [later], fields })).toEqual(['brand_new']);
    expect(() => mergeStatement({ dataset, target, extent: 'recent', batches: [later], fields })).toThrow('brand_new');
  });
});

describe('a merge into a partitioned table', () => {
  const partitioned = [...tables, deliveries].filter(({ partition }) => partition !== undefined).map(({ name }) => name);

  test('timeseries and deliveries are partitioned', () => {
    expect(partitioned).toEqual(expect.arrayContaining(['timeseries', 'deliveries']));
  });

  test.each(partitioned)('a merge into %s restricts source and target with literal dates', (name) => {
    const batches = [landed(name === 'deliveries' ? 'activity' : (name as StreamName), 0, days)];
    const { merge } = mergeStatement({ dataset, target: named(name), extent: 'recent', batches });
    const [source, on] = merge.split('\nON ') as [string, string];
    const list = "_day IN (DATE '2026-03-28', DATE '2026-03-29')";
    expect(source).toContain(`WHERE ${list}`);
    expect(on.startsWith(`T.${list}`)).toBe(true);
  });

  test('a merge is refused if it names no dates or more dates than one statement may change', () => {
    const target = named('timeseries');
    const of = (list: readonly number[]) =>
      mergeStatement({ dataset, target, extent: 'old', batches: [landed('timeseries', 0, list)] });
    expect(() => of([])).toThrow('has no date');
    expect(() => of(Array.from({ length: MOST_DAYS + 1 }, (_, index) => 15_000 + index))).toThrow('more than 3000');
  });
});

describe('SQL expressions', () => {
  test('special characters in a string do not end the literal', () => {
    expect(text("it's \\ a\nline \u{1f600} ü")).toBe("'it\\'s \\\\ a\\u000aline \u{1f600} ü'");
    expect(() => quoted('a`b')).toThrow();
  });

  test('versions are compared column by column', () => {
    expect(newer('S', 'T', ['_reader'])).toBe('S._reader > T._reader');
    expect(newer('S', 'T', ['a', 'b'])).toBe('(S.a > T.a OR (S.a = T.a AND S.b > T.b))');
  });
});
