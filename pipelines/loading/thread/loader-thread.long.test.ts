import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { partitionOf, privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { type LocalLog, openLocalLog } from '@aorta/connectors/log';
import { adapterOf, builtIn } from '@aorta/connectors/registry';
import type { Logger, Step } from '@aorta/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { completion } from '../../../connectors/streams/records.fixture.ts';
import { GROUP } from '../groups.ts';
import { Stopped } from '../loader.ts';
import { type LoaderThread, type LoaderThreadOptions, startLoaderThread } from './loader-thread.ts';

const privacy = privacyOptions.parse({});
let folder: string;
let log: LocalLog;
let loader: LoaderThread | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  log = await openLog();
});
afterEach(async () => {
  await loader?.stop().catch(() => {});
  await loader?.close();
  loader = undefined;
  await log.close();
  rmSync(folder, { recursive: true, force: true });
});

function openLog(): Promise<LocalLog> {
  return openLocalLog({ folder: join(folder, 'streams') });
}

const warehousePath = (): string => join(folder, 'w.duckdb');

function begin(options: Partial<LoaderThreadOptions> = {}): LoaderThread {
  const settings = duckDbOptions.parse({ type: 'duckdb', path: warehousePath() });
  const { address } = adapterOf(builtIn.warehouses, settings);
  const warehouse = { address, settings, privacy, preferences: {} };
  const local = adapterOf(builtIn.streamLogs, { type: 'local' });
  const streams = {
    address: local.address,
    settings: local.options.parse({ type: 'local' }),
    folder: join(folder, 'streams'),
    clientId: '',
  };
  loader = startLoaderThread({ log, streams, warehouse, ...options });
  return loader;
}

async function start(options: Partial<LoaderThreadOptions> = {}): Promise<LoaderThread> {
  const begun = begin(options);
  await begun.opened;
  return begun;
}

async function append(count: number, from = 0): Promise<void> {
  for (let offset = from; offset < from + count; offset++) log.append('historical_completions', completion(offset));
  await log.flush();
}

describe('the loader in a separate thread', () => {
  test('loads records that arrive while it is running, and commits their positions', async () => {
    await append(7);
    const started = await start({ limits: { batch: { records: 3, bytes: 1 << 20 } } });
    await started.finish();
    await append(2, 7);
    await started.finish();
    expect((await started.rows()).historical_completions).toBe(9);
    await using view = await openLocalLog({ folder: join(folder, 'streams'), readOnly: true });
    expect(view.committed(GROUP, partitionOf('historical_completions'))).toBe(9);
    expect(started.landed(partitionOf('historical_completions'))).toEqual({
      incarnation: log.incarnation(partitionOf('historical_completions')),
      position: 9,
    });
    const reader = await openDuckDbReader({ path: warehousePath() });
    expect((await reader.rows()).historical_completions).toBe(9);
    await reader.close();
  });

  test('does not delay a consumer while the warehouse opens, and loads the records afterwards', async () => {
    await append(9);
    const begun = begin({ limits: { batch: { records: 2, bytes: 1 << 20 }, backlog: 4 } });
    const opened = begun.opened.then(() => 'opened');
    expect(await Promise.race([begun.ready().then(() => 'ready'), opened])).toBe('ready');
    await append(1, 9);
    await begun.finish();
    expect((await begun.rows()).historical_completions).toBe(10);
  });

  test('delays a consumer while the backlog exceeds its limit', async () => {
    const started = await start({ limits: { batch: { records: 2, bytes: 1 << 20 }, backlog: 4 } });
    await append(9);
    await started.ready();
    expect(started.landed(partitionOf('historical_completions'))!.position).toBeGreaterThanOrEqual(5);
  });

  test('restores the landed positions after a restart', async () => {
    await append(3);
    await (await start()).finish();
    await loader!.stop();
    await loader!.close();
    expect((await start()).landed(partitionOf('historical_completions'))?.position).toBe(3);
  });

  test('rejects a call to finish() after it was stopped', async () => {
    const started = await start();
    await started.stop();
    await append(1);
    await expect(started.finish()).rejects.toThrow(Stopped);
  });

  test('reports why the warehouse could not be opened, and ends its thread', async () => {
    writeFileSync(warehousePath(), 'no database at all, and long enough to be looked at as one');
    await expect(start()).rejects.toMatchObject({ code: 'AORTA-WAREHOUSE-UNREADABLE' });
    for (const asked of [loader!.ready(), loader!.finish(), loader!.stop()]) {
      await expect(asked).rejects.toMatchObject({ code: 'AORTA-WAREHOUSE-UNREADABLE' });
    }
    rmSync(warehousePath());
    const other = await openDuckDbWarehouse({ ...duckDbOptions.parse({ type: 'duckdb', path: warehousePath() }), privacy });
    await other.close();
    await start();
  });

  test('waits for the observer at each step, and forwards log messages to the main thread', async () => {
    const steps: Step[] = [];
    const events: string[] = [];
    const hear: Logger['info'] = (event) => void events.push(event);
    const logger = { debug: hear, info: hear, warn: hear, error: hear };
    await append(1);
    const started = await start({ onStep: (step) => void steps.push(step), logger });
    await started.finish();
    expect(steps.slice(0, 6)).toEqual([
      'land:begun',
      'land:durable',
      'group:committed',
      'merge:begun',
      'merge:durable',
      'batch:dropped',
    ]);
    expect(events).toContain('landed');
  });

  test('ends when an observer throws, and rejects pending calls', async () => {
    await append(1);
    const started = await start({
      onStep: (step) => {
        if (step === 'land:durable') throw new Error('ended here');
      },
    });
    await expect(started.finish()).rejects.toMatchObject({ code: 'AORTA-BUG' });
    await expect(started.stop()).rejects.toMatchObject({ code: 'AORTA-BUG' });
  });

  test('reads streams again that are older than the tables, and skips no new record', async () => {
    const [streams, older] = [join(folder, 'streams'), join(folder, 'older')];
    await append(1);
    await log.close();
    cpSync(streams, older, { recursive: true });
    log = await openLog();
    await append(3, 1);
    await (await start()).finish();
    await loader!.stop();
    await loader!.close();
    await log.close();

    rmSync(streams, { recursive: true });
    renameSync(older, streams);
    log = await openLog();
    const of = partitionOf('historical_completions');
    const before = log.incarnation(of);
    const started = begin();
    await append(2, 10);
    await expect(started.finish()).rejects.toMatchObject({ code: 'AORTA-STREAM-SHORTER', details: { end: 1, position: 4 } });
    expect((await started.rows()).historical_completions).toBe(6);
    expect(log.incarnation(of)).not.toBe(before);
    await loader!.stop();
    await loader!.close();
    await append(1, 20);
    await (await start()).finish();
    expect((await loader!.rows()).historical_completions).toBe(7);
  });

  test('loads what a damaged segment still holds', async () => {
    for (let offset = 0; offset < 3; offset += 1) await append(1, offset);
    const segment = join(folder, 'streams', 'historical_completions', `${'0'.repeat(20)}.avro`);
    // The last block is damaged while the log is open.
    const bytes = readFileSync(segment);
    bytes.fill(0x5a, bytes.length - 60, bytes.length - 30);
    writeFileSync(segment, bytes);
    const started = await start();
    await started.finish();
    expect((await started.rows()).historical_completions).toBe(2);
    expect(log.losses?.()).toMatchObject([{ code: 'AORTA-SEGMENT-LOST', details: { first: 2, last: 2 } }]);
    await append(1, 3);
    await started.finish();
    expect((await started.rows()).historical_completions).toBe(3);
  });
});
