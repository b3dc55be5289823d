import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProvidedBigQuery, provideBigQuery, whyNoBigQuery } from '@aorta/bigquery-server';
import type { CostReport } from '@aorta/connectors';
import { deliveries, deliveryLine } from '@aorta/people';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

/** What the control tables cost beside merges, as the server bills it. */

const problem = await whyNoBigQuery({ own: true });
/** Bytes that looking at the costs is billed for: two statements about what was written down. */
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

  /** Loads so many events into a new dataset; gives the bytes billed for control tables, and for all others. */
  async function loaded(events: number) {
    const dataset = `bookkeeping_${events}`;
    await provided.client().createDataset(dataset);
    const folder = mkdtempSync(join(root, 'load-'));
    const warehouse = { type: 'bigquery', project: provided.project, dataset, api_endpoint: provided.apiEndpoint };
    // YAML reads JSON.
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify({ warehouse }));
    const some = deliveries({ seed: 21, people: 6, days: 6 }).take(events);
    writeFileSync(join(folder, 'events.ndjson'), [...some].map((one) => `${deliveryLine(one)}\n`).join(''));
    const { code, stderr, stdout } = await aorta(folder, ['load', '--json', 'events.ndjson']);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).received).toBe(events);
    // As a person sees it, and as the service bills it.
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

  /** Tables that neither hold rows of people nor batches of them. A merge needs two of them: its fence and the suppression list. */
  const isControl = (table: string): boolean => table.startsWith('aorta_') && !table.startsWith('aorta_landed_');

  test.each([
    // It was 482 MB beside merges of 220 MB: 38 tables were counted by a query, and the control tables read by seven.
    [3, 1],
    [1000, 10],
  ])('a load of %i events: bookkeeping costs at most a part of what the merges do', async (events, part) => {
    const { said, bookkeeping, all } = await loaded(events);
    expect(said.merges).toBeGreaterThan(0);
    expect(said.bookkeeping).toBeLessThanOrEqual(said.merges / part);
    // What is said to be bookkeeping and what merges are said to cost is all that was billed: nothing is left out.
    expect(said.bookkeeping + said.merges).toBeGreaterThanOrEqual(all - LOOKING);
    // In merges the control tables are the fence and the suppression list, once for each statement.
    expect(bookkeeping - said.bookkeeping - LOOKING).toBeLessThanOrEqual((2 * said.merges) / 4);
  });
});
