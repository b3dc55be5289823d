import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import type { WarehouseReader } from '@aorta/connectors';
import { bigQueryOptions } from '@aorta/connectors/bigquery';
import { openBigQueryReader } from '@aorta/connectors/bigquery/module';
import { openDuckDbReader } from '@aorta/connectors/duckdb/module';
import { type EventHubsServer, publishDeliveries, startEventHubs } from '@aorta/event-hubs-server';
import { type Delivery, deliveries } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Row } from '../model/model.ts';
import { printedRows } from '../model/printed.ts';
import { aorta } from './command.ts';

/** Tests Event Hubs, streams and BigQuery together. Every table must equal the DuckDB table for the same deliveries. */

const problem = await whyNoBigQuery({ own: true });

const hubs = ['summaries', 'samples'];
const routing = {
  default_event_hub: 'samples',
  event_hub_matchers: [{ event_type_regex: '^daily\\.data\\.(activity|sleep|body)', event_hub: 'summaries' }],
};
const all: readonly Delivery[] = deliveries({ seed: 21, people: 2, days: 2 }).toArray();
const half = Math.floor(all.length / 2);

describe.skipIf(problem !== undefined)(`health events in BigQuery${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-bigquery-people-'));
  let server: EventHubsServer;
  let big: ProvidedBigQuery;
  let inBigQuery: ReturnType<typeof bigQueryOptions.parse>;

  beforeAll(async () => {
    [server, big] = await Promise.all([
      startEventHubs({ hubs: hubs.map((name) => ({ name, partitions: 2 })) }),
      provideBigQuery({ own: true }),
    ]);
    await big.client().createDataset('health');
    inBigQuery = bigQueryOptions.parse({
      type: 'bigquery',
      project: big.project,
      dataset: 'health',
      api_endpoint: big.apiEndpoint,
    });
  });
  afterAll(async () => {
    await Promise.all([server?.stop(), big?.stop()]);
    rmSync(root, { recursive: true, force: true });
  });

  async function publish(some: readonly Delivery[]): Promise<void> {
    await publishDeliveries({ connectionString: server.connectionString, routing, deliveries: some });
  }

  /** Creates a folder with a configuration. Runs in different folders read all hubs independently of each other. */
  function place(name: string, warehouse: object): string {
    const folder = mkdtempSync(join(root, `${name}-`));
    const sources = [{ type: 'event-hubs', connection: server.connectionString, hubs }];
    // JSON is valid YAML.
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify({ sources, warehouse }));
    return folder;
  }

  async function run(folder: string): Promise<{ received: number; dead_letters: object }> {
    const { code, stdout, stderr } = await aorta(folder, ['run', '--once', '--json']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  async function read<T>(opening: Promise<WarehouseReader>, look: (reader: WarehouseReader) => Promise<T>): Promise<T> {
    const reader = await opening;
    try {
      return await look(reader);
    } finally {
      await reader.close();
    }
  }

  test('after each of two runs, every table equals the DuckDB table for the same deliveries', async () => {
    const duck = place('duckdb', { type: 'duckdb', path: 'health.duckdb' });
    const bigquery = place('bigquery', inBigQuery);
    let received = 0;
    for (const some of [all.slice(0, half), all.slice(half)]) {
      await publish(some);
      const reports = await Promise.all([duck, bigquery].map(run));
      expect(reports).toMatchObject([{ received: some.length }, { received: some.length }]);
      received += some.length;
      const path = join(duck, 'health.duckdb');
      await read(openDuckDbReader({ path }), async (expected) => {
        await read(openBigQueryReader(inBigQuery), async (actual) => {
          const [wanted, found] = await Promise.all([expected.rows(), actual.rows()]);
          expect(found).toEqual(wanted);
          expect(wanted.deliveries).toBe(received);
          const filled = Object.keys(wanted).filter((name) => wanted[name]! > 0);
          expect(filled.length).toBeGreaterThan(4);
          for (const name of filled) expectSame(name, await printedRows(actual, name), await printedRows(expected, name));
        });
      });
    }

    // Both warehouses return the same rows for a query, and BigQuery has no landing tables left.
    const sql = 'SELECT user_id, COUNT(*) AS events FROM deliveries GROUP BY user_id ORDER BY user_id';
    const answers = await Promise.all([duck, bigquery].map((folder) => aorta(folder, ['query', sql, '--json'])));
    expect(answers.map(({ code }) => code)).toEqual([0, 0]);
    expect(answers[1]!.stdout).toBe(answers[0]!.stdout);
    const [tables] = await big.client().dataset('health').getTables();
    expect(tables.map(({ id }) => id).filter((id) => id!.startsWith('aorta_landed_'))).toEqual([]);
    const status = await aorta(bigquery, ['status', '--cost', '--json']);
    expect(status.code, status.stderr).toBe(0);
  });
});

/** Compares a table row by row. The rows are sorted, so that the order of arrival does not matter. */
function expectSame(table: string, actual: readonly Row[], expected: readonly Row[]): void {
  const [here, there] = [sorted(expected), sorted(actual)];
  const at = here.findIndex((row, index) => !isDeepStrictEqual(row, there[index]));
  expect({ table, row: there[at] }).toEqual({ table, row: here[at] });
}

function sorted(rows: readonly Row[]): Row[] {
  const plain = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, read(value)])));
  const text = (row: Row): string => JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
  return plain
    .map((row) => ({ row, text: text(row) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ row }) => row);
}

/** Converts a value to a form that both warehouses share. JSON is parsed, because the whitespace in it may differ. */
function read(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  return JSON.parse(value) as unknown;
}
