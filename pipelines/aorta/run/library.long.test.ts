import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  createPipeline,
  type DeadLettersEvent,
  type Delivery,
  isAortaError,
  load,
  openWarehouse,
  type ProgressEvent,
  type Row,
  run,
  type Source,
  type SourceAdapter,
} from '../index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-library-'));
  writeFileSync(
    join(folder, 'events.ndjson'),
    `${[activity('a-1', 8123), activity('a-2', 500), activity(undefined, 1)].join('\n')}\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function activity(id: string | undefined, steps: number): string {
  const data = { id, calendar_date: '2026-03-30', steps, source: { provider: 'oura' } };
  return JSON.stringify({ event_type: 'daily.data.activity.created', user_id: 'u-1', data });
}

async function rowsOf(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Returns the code of the error that a call throws or rejects with. */
async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return 'none';
  } catch (error) {
    return isAortaError(error) ? error.code : String(error);
  }
}

/** A source of activity summaries that keeps its committed position in memory. */
function queueOf(bodies: readonly string[], name = 'queue') {
  let committed = 0;
  const source: Source<number> = {
    name,
    async *batches() {
      const deliveries = bodies.slice(committed).map(
        (body, index): Delivery => ({
          source: name,
          partition: '0',
          offset: committed + index,
          receivedAt: Date.parse('2026-03-31T06:00:00Z') * 1000,
          headers: new Map(),
          key: null,
          body: Buffer.from(body),
          inline: false,
        }),
      );
      if (deliveries.length > 0) yield { deliveries, position: committed + deliveries.length };
    },
    async commit(positions) {
      committed = positions.at(-1) ?? committed;
    },
  };
  return { name, open: () => source, committed: () => committed };
}

test('openWarehouse() reads the rows that load() wrote', async () => {
  const place = { warehouse: 'duckdb:loaded.duckdb', folder };
  const progress: ProgressEvent[] = [];
  const letters: DeadLettersEvent[] = [];
  const { ended, report } = await load('events.ndjson', {
    ...place,
    receivedAt: new Date('2026-03-31T06:00:00Z'),
    on: { progress: (event) => progress.push(event), deadLetters: (event) => letters.push(event) },
  });
  expect({ ended, report }).toMatchObject({ ended: 'done', report: { received: 3, dead_letters: { no_id: 1 } } });
  expect(progress.at(-1)).toEqual({ received: 3, kept: 2, redelivered: 0, unrouted: 0, deadLetters: 1 });
  expect(letters).toEqual([{ reason: 'no_id', added: 1, total: 1 }]);

  await using warehouse = openWarehouse(place);
  expect(await rowsOf(warehouse.query('select id, steps, _received_at from activity order by id'))).toEqual([
    { id: 'a-1', steps: 8123n, _received_at: '2026-03-31T06:00:00Z' },
    { id: 'a-2', steps: 500n, _received_at: '2026-03-31T06:00:00Z' },
  ]);
});

test('a row has decimals as strings, and every column of a repeated name', async () => {
  const place = { warehouse: 'duckdb:decimals.duckdb', folder };
  await load('events.ndjson', place);
  await using warehouse = openWarehouse(place);
  const sql = "select 1.50 as a, [0.1, null] as a, {b: 2.0, c: 'x'} as d, 'nan'::double as e";
  expect(await rowsOf(warehouse.query(sql))).toEqual([{ a: '1.50', a_1: ['0.1', null], d: { b: '2.0', c: 'x' }, e: 'NaN' }]);
});

test('two queries of a warehouse can be read at the same time', async () => {
  const place = { warehouse: 'duckdb:two.duckdb', folder };
  await load('events.ndjson', place);
  await using warehouse = openWarehouse(place);
  let rows = 0;
  for await (const { range } of warehouse.query('select range from range(10000)')) {
    rows += 1;
    if (range === 100n) expect(await rowsOf(warehouse.query('select count(*) as n from activity'))).toEqual([{ n: 2n }]);
  }
  expect(rows).toBe(10_000);
});

test('a query that found no tables can be repeated once the tables exist', async () => {
  const place = { data: 'later', folder };
  await using warehouse = openWarehouse(place);
  expect(await codeOf(() => rowsOf(warehouse.query('select 1 from activity')))).toBe('AORTA-WAREHOUSE-MISSING');
  await load(['events.ndjson'], place);
  expect(await rowsOf(warehouse.query('select count(*) as n from activity'))).toEqual([{ n: 2n }]);
});

test('run() accepts a configuration object and ends when the signal aborts', async () => {
  const stop = new AbortController();
  const { ended, report } = await run(
    {
      sources: [{ type: 'files', paths: [join(folder, 'events.ndjson')] }],
      warehouse: { type: 'duckdb', path: join(folder, 'run.duckdb') },
    },
    { signal: stop.signal, on: { progress: () => stop.abort() } },
  );
  expect({ ended, received: report.received }).toEqual({ ended: 'stopped', received: 3 });
});

test('a pipeline loads a source that the program provides, and commits its position', async () => {
  const queue = queueOf([activity('a-7', 7), activity('a-8', 8)]);
  const place = { data: 'own', folder };
  const pipeline = createPipeline({ ...place, configuration: {}, sources: [queue] });
  expect((await pipeline.run({ once: true })).report.tables).toMatchObject({ activity: 2 });
  expect(queue.committed()).toBe(2);
  expect((await pipeline.run({ once: true })).report).toMatchObject({ received: 0, tables: { activity: 2 } });
});

test('a configuration can refer to a source adapter that the program adds', async () => {
  const queue = queueOf([activity('a-7', 7)], 'mine');
  const mine: SourceAdapter<{ type: 'queue'; name: string }> = {
    type: 'queue',
    options: z.strictObject({ type: z.literal('queue'), name: z.string() }),
    placesName: 'queues',
    places: ({ name }) => [name],
    partitioned: false,
    check: 'queues',
    load: async () => ({ open: async () => queue.open(), probe: async () => [] }),
  };
  const { report } = await run(
    { sources: [{ type: 'queue', name: 'mine' }] },
    { once: true, data: 'adapter', folder, adapters: { sources: [mine] } },
  );
  expect({ tables: report.tables, committed: queue.committed() }).toMatchObject({ tables: { activity: 1 }, committed: 1 });
});

test('a run without `once` opens a drained source again', async () => {
  const bodies = [activity('a-7', 7)];
  const stop = new AbortController();
  const pipeline = createPipeline({
    data: 'again',
    folder,
    configuration: {},
    sources: [{ ...queueOf(bodies), againAfterMs: 10 }],
    on: {
      progress: ({ received }) => {
        if (received === 1) bodies.push(activity('a-8', 8));
        else stop.abort();
      },
    },
  });
  expect((await pipeline.run({ signal: stop.signal })).report.received).toBe(2);
});

test('if a listener throws, the load rejects with that error', async () => {
  const failure = new Error('mine');
  const listen = () => {
    throw failure;
  };
  await expect(load('events.ndjson', { data: 'thrown', folder, on: { progress: listen } })).rejects.toBe(failure);
});

test('invalid options cause an AortaError whose `cause` lists all problems with the configuration', async () => {
  const refused: unknown = await run({ sources: [{ type: 'files' }], limit: {} }).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'AORTA-CONFIG-INVALID', cause: { problems: { length: 2 } } });
  expect(await codeOf(() => createPipeline({ configuration: {}, data: 'none', folder }))).toBe('AORTA-USAGE');
  expect(await codeOf(() => createPipeline({ configuration: {}, sources: [queueOf([]), queueOf([])] }))).toBe('AORTA-USAGE');
  expect(await codeOf(() => run('missing.yaml'))).toBe('AORTA-CONFIG-NOT-FOUND');
  expect(await codeOf(() => load('missing.ndjson', { folder }))).toBe('AORTA-FILE-NOT-FOUND');
  expect(await codeOf(() => load('events.ndjson', { folder, receivedAt: 'yesterday' }))).toBe('AORTA-USAGE');
  for (const receivedAt of ['2206-03-31T06:00:00Z', new Date('2206-03-31T06:00:00Z')])
    expect(await codeOf(() => load('events.ndjson', { folder, receivedAt }))).toBe('AORTA-RECEIVED-AHEAD');
});
