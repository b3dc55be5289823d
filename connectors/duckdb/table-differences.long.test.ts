import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAortaError } from '@aorta/runtime';
import { readEvent } from '@aorta/schemas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Privacy, privacyOptions } from '../privacy.ts';
import type { LandingBatch, TableDifference } from '../warehouse.ts';
import { runIn } from './closed-file.fixture.ts';
import { openDuckDbReader } from './duckdb-reader.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Compares what `doctor` reports about tables with what a run does. */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  path = join(folder, 'warehouse.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const on = privacyOptions.parse({ identifiers: true });
const off = privacyOptions.parse({ identifiers: false });

function raw(from: number): LandingBatch {
  const receipt = {
    source: 's',
    partition: '0',
    offset: from,
    received_at: Date.UTC(2026, 2, 28, 13) * 1000 + from,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  };
  const reading = readEvent('raw_events', 'raw.fitbit.sleep', { user_id: 'u', data: { n: from } }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return { stream: 'raw_events', incarnation: 'i', from, to: from + 1, records: [reading.record] };
}

/** Simulates one run, which lands and merges one event. */
async function run(privacy: Privacy, from: number): Promise<void> {
  const warehouse = await openDuckDbWarehouse({ ...duckDbOptions.parse({ type: 'duckdb', path }), privacy });
  try {
    await warehouse.land(raw(from));
    await warehouse.merge('all');
  } finally {
    await warehouse.close();
  }
}

const sql = (...statements: readonly string[]): Promise<unknown[][]> => runIn(path, ...statements);

async function differences(privacy: Privacy): Promise<readonly TableDifference[]> {
  const reader = await openDuckDbReader({ path });
  try {
    return await reader.tableDifferences(privacy);
  } finally {
    await reader.close();
  }
}

const payloads = 'select payload from raw_events order by _offset';

describe('a table from an earlier version of Aorta, with a required column that belongs to a privacy class', () => {
  const asBefore = 'alter table raw_events alter column payload set not null';

  test('after the class is switched off, the table accepts rows without the column, as doctor predicts', async () => {
    await run(on, 0);
    await sql(asBefore);
    expect(await differences(off)).toEqual([
      {
        table: 'raw_events',
        column: 'payload',
        what: 'is never null, has no default, and has no landed values',
        fixedBy: 'run',
      },
    ]);
    await run(off, 1);
    await run(on, 2);
    expect(await sql(payloads)).toEqual([['{"n":0}'], [null], ['{"n":2}']]);
  });

  test('the table accepts waiting rows that were landed without the column', async () => {
    await run(on, 0);
    await sql(asBefore);
    const warehouse = await openDuckDbWarehouse({ ...duckDbOptions.parse({ type: 'duckdb', path }), privacy: off });
    await warehouse.land(raw(1));
    await warehouse.close();
    await run(on, 2);
    expect(await sql(payloads)).toEqual([['{"n":0}'], [null], ['{"n":2}']]);
  });
});

/** Changes made by hand or by a different version of Aorta, and who must repair each of them. */
const changes: readonly (readonly [string, string, TableDifference['fixedBy'] | 'nobody'])[] = [
  ['nothing was changed', 'select 1', 'nobody'],
  ['a table is missing', 'drop table raw_events', 'run'],
  ['a column is missing', 'alter table raw_events drop column payload', 'run'],
  ['a key column is missing', 'alter table raw_events drop column _offset', 'person'],
  ['a list is missing', 'alter table lab_orders drop column events', 'run'],
  ['a field of a list is missing', 'alter table lab_orders drop column events.element.status_detail', 'run'],
  [
    'a column has a different type',
    'alter table raw_events alter column dataset set data type varchar[] using [dataset]',
    'person',
  ],
  ['a column must not be null', 'alter table raw_events alter column payload set not null', 'run'],
  ['a column may be null', 'alter table raw_events alter column dataset drop not null', 'run'],
  ['a default is missing', 'alter table lab_critical_results alter column sample_id drop default', 'run'],
  ['a default is different', "alter table lab_critical_results alter column sample_id set default 'x'", 'run'],
  ['a default is not a constant', 'alter table lab_critical_results alter column sample_id set default (uuid()::varchar)', 'run'],
  ['an undeclared column was added', 'alter table raw_events add column mine integer', 'nobody'],
  [
    'an undeclared column that is never null was added',
    'alter table raw_events add column mine integer default 1; alter table raw_events alter column mine set not null; alter table raw_events alter column mine drop default',
    'run',
  ],
];

describe('the differences that doctor reports', () => {
  test.each(changes)('doctor predicts what a run does if %s', async (_, change, expected) => {
    await run(on, 0);
    await sql(...change.split('; '));
    const before = await sql('select count(*) from duckdb_columns()');
    const found = await differences(on);
    expect(await sql('select count(*) from duckdb_columns()')).toEqual(before);
    expect(found.map(({ fixedBy }) => fixedBy)).toEqual(expected === 'nobody' ? [] : [expected]);
    const outcome = await run(on, 1).then(
      () => 'runs',
      (error: unknown) => (isAortaError(error) ? error.code : error),
    );
    expect(outcome).toBe(expected === 'person' ? 'AORTA-WAREHOUSE-COLUMN' : 'runs');
    if (expected !== 'person') expect(await differences(on)).toEqual([]);
  });

  test('doctor refuses a file with a later format, as a run does', async () => {
    await run(on, 0);
    await sql('update control.format set format = 1000');
    await expect(differences(on)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
    await expect(run(on, 1)).rejects.toMatchObject({ code: 'AORTA-DATA-NEWER' });
  });
});
