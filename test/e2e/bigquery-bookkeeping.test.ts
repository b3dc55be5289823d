import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import type { CostReport } from '@aorta/connectors';
import { deliveries, deliveryLine } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

/** Compares the bytes that the server bills for control tables with the bytes that it bills for merges. */

const problem = await whyNoBigQuery({ own: true });
/** Bytes billed for reading the costs: two statements on the control tables, 10 MiB each. */
const LOOKING = 2 * 10 * 2 ** 20;

describe.skipIf(problem !== undefined)(`the cost of bookkeeping${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-bigquery-bookkeeping-'));
  let provided: ProvidedBigQuery;
  beforeAll(async () => {
    provided = await provideBigQuery({ own: true });
  });
  afterAll(async () => {
    await provided?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  /**
   * Loads events into a new dataset. Returns the bytes that `aorta status` reports, and the bytes that the server billed for
   * control tables and for all tables.
   */
  async function loaded(events: number) {
    const dataset = `bookkeeping_${events}`;
    await provided.client().createDataset(dataset);
    const folder = mkdtempSync(join(root, 'load-'));
    const warehouse = { type: 'bigquery', project: provided.project, dataset, api_endpoint: provided.apiEndpoint };
    // JSON is valid YAML.
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify({ warehouse }));
    const some = deliveries({ seed: 21, people: 6, days: 6 }).take(events);
    writeFileSync(join(folder, 'events.ndjson'), [...some].map((one) => `${deliveryLine(one)}\n`).join(''));
    const { code, stderr, stdout } = await aorta(folder, ['load', '--json', 'events.ndjson']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).received).toBe(events);
    // Reads the costs from `aorta status` and from the server.
    const status = await aorta(folder, ['status', '--cost', '--json']);
    const { tables } = JSON.parse(status.stdout).days[0] as CostReport['days'][number];
    const said = { bookkeeping: 0, merges: 0 };
    for (const { table, billedBytes } of tables) said[table === 'bookkeeping' ? table : 'merges'] += billedBytes;
    const { billed } = await provided.control!.state();
    const named = Object.entries(billed).filter(([name]) => name.startsWith(`${dataset}.`));
    const sum = (isWanted: (table: string) => boolean): number =>
      named.reduce((all, [name, bytes]) => (isWanted(name.slice(dataset.length + 1)) ? all + bytes : all), 0);
    return { said, bookkeeping: sum(isControl), all: sum(() => true) };
  }

  /** Returns whether a table is a control table. Landing tables are not control tables. */
  const isControl = (table: string): boolean => table.startsWith('aorta_') && !table.startsWith('aorta_landed_');

  test.each([
    // An earlier version was billed 482 MB for bookkeeping and 220 MB for merges. One query counted the rows of 38 tables,
    // and seven queries read the control tables.
    [3, 1],
    [1000, 10],
  ])('for a load of %i events, bookkeeping costs at most 1/%i as much as merges', async (events, part) => {
    const { said, bookkeeping, all } = await loaded(events);
    expect(said.merges).toBeGreaterThan(0);
    expect(said.bookkeeping).toBeLessThanOrEqual(said.merges / part);
    // The reported costs of bookkeeping and merges cover everything that was billed.
    expect(said.bookkeeping + said.merges).toBeGreaterThanOrEqual(all - LOOKING);
    // Two of the four tables that a merge statement reads are control tables: the fence and the suppression list.
    expect(bookkeeping - said.bookkeeping - LOOKING).toBeLessThanOrEqual((2 * said.merges) / 4);
  });
});
