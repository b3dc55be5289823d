import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { openKafka } from '@aorta/connectors/kafka/client';
import { provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { writeDeliveryFiles } from '@aorta/people';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

/** Ingests and loads in separate processes, with streams in Kafka topics. Local streams must produce the same tables. */

const problem = await whyNoBroker();

describe.skipIf(problem !== undefined)('streams in Kafka topics', () => {
  const root = mkdtempSync(join(tmpdir(), 'aorta-topics-'));
  let broker: Awaited<ReturnType<typeof provideBroker>>;
  let files: readonly string[];
  beforeAll(async () => {
    broker = await provideBroker();
    files = writeDeliveryFiles(join(root, 'deliveries'), { seed: 5, people: 6, days: 3, partitions: 3 });
    appendFileSync(files[0]!, 'no delivery\n');
  });
  afterAll(async () => {
    await broker.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const tables = [
    'activity',
    'sleep',
    'timeseries',
    'blood_pressure',
    'connection_events',
    'historical_completions',
    'deliveries',
  ];
  const printed = async (folder: string): Promise<string> => {
    const parts: string[] = [];
    for (const table of tables) {
      const { code, stdout, stderr } = await aorta(folder, [
        'query',
        `select * exclude (_loaded_at) from ${table} order by all`,
        '--json',
      ]);
      expect([code, stderr]).toEqual([0, '']);
      parts.push(`${table}\n${stdout}`);
    }
    return parts.join('\n');
  };
  const place = (name: string, paths: readonly string[], streams: object): string => {
    const folder = mkdtempSync(join(root, `${name}-`));
    const sources = [{ type: 'files', name: 'people', paths }];
    writeFileSync(
      join(folder, 'aorta.yaml'),
      JSON.stringify({ sources, streams, warehouse: { type: 'duckdb', path: 'health.duckdb', publish_every_s: 0 } }),
    );
    return folder;
  };

  test('two processes that ingest and one that loads produce the same tables as with local streams, and `aorta streams` reports their lag', async () => {
    const local = place('local', files, { type: 'local' });
    expect(await aorta(local, ['run', '--once', '--json'])).toMatchObject({ code: 0 });

    const streams = { type: 'kafka', brokers: broker.brokers, prefix: `${randomUUID()}.`, partitions: 3 };
    const first = place('first', files.slice(0, 1), streams);
    const second = place('second', files.slice(1), streams);
    const early = await aorta(first, ['run', '--once', '--only', 'ingestion', '--only', 'enrichment']);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('AORTA-STREAM-TOPIC-MISSING')]);
    expect((await aorta(first, ['plan'])).stdout).toContain('timeseries is missing.');
    expect(await aorta(first, ['apply'])).toMatchObject({ code: 0, stdout: expect.stringContaining('Created ') });
    expect((await aorta(second, ['plan'])).stdout).toMatch(
      /^Nothing differs from the configuration\.\nThe tables of DuckDB are not/,
    );

    const runs = await Promise.all(
      [first, second].map((folder) => aorta(folder, ['run', '--once', '--only', 'ingestion', '--only', 'enrichment', '--json'])),
    );
    expect(runs.map(({ code, stderr }) => [code, stderr.includes('"level":"error"')])).toEqual([
      [0, false],
      [0, false],
    ]);
    const before = JSON.parse((await aorta(first, ['streams', '--json'])).stdout) as {
      end: number;
      lag: number;
      partition: number;
    }[];
    const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
    expect(new Set(before.map(({ partition }) => partition)).size).toBe(3);
    expect(sum(before.map(({ lag }) => lag))).toBe(sum(before.map(({ end }) => end)));

    const loaded = await aorta(second, ['run', '--once', '--only', 'loading', '--json']);
    expect([loaded.code, loaded.stderr.includes('"level":"error"')]).toEqual([0, false]);
    const after = JSON.parse((await aorta(second, ['streams', '--json'])).stdout) as { lag: number }[];
    expect(sum(after.map(({ lag }) => lag))).toBe(0);
    const status = JSON.parse((await aorta(second, ['status', '--json'])).stdout) as {
      streams: { lag: number; records: number }[];
    };
    expect(sum(status.streams.map(({ records }) => records))).toBe(sum(before.map(({ end }) => end)));
    const [expected, actual] = [await printed(local), await printed(second)];
    // If the rows differ, the error must not print megabytes of rows.
    expect(actual === expected ? 'the same' : [actual.length, expected.length]).toBe('the same');

    // Other commands read streams in topics in the same way as local streams.
    const tail = await aorta(second, ['tail', '--once', '--json', '-n', '25']);
    expect([tail.code, tail.stdout.trim().split('\n').length]).toEqual([0, 25]);
    const letters = JSON.parse((await aorta(second, ['dlq', 'list', '--json', '--limit', '1000'])).stdout) as object[];
    expect(letters.length).toBe(1);
    expect(letters).toEqual(JSON.parse((await aorta(local, ['dlq', 'list', '--json', '--limit', '1000'])).stdout));
    const doctor = JSON.parse((await aorta(second, ['doctor', '--json'])).stdout) as { check: string; state: string }[];
    expect(doctor).toContainEqual(expect.objectContaining({ check: 'streams', state: 'ok' }));

    // DuckDB allows only one writer.
    const path = join(second, 'health.duckdb');
    const writer = await openDuckDbWarehouse({
      ...duckDbOptions.parse({ type: 'duckdb', path }),
      privacy: privacyOptions.parse({}),
    });
    const refused = await aorta(second, ['run', '--once', '--only', 'loading']);
    await writer.close();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('AORTA-WAREHOUSE-LOCKED')]);
    expect(refused.stderr).toContain('several loaders need BigQuery');

    // Running all parts in one process adds no duplicate rows.
    expect(await aorta(second, ['run', '--once', '--json'])).toMatchObject({ code: 0 });
    expect((await printed(second)) === expected).toBe(true);
  });

  test('a source whose pattern matches every topic reads no topic with streams', async () => {
    const folder = mkdtempSync(join(root, 'all-'));
    const streams = { type: 'kafka', brokers: broker.brokers, prefix: `${randomUUID()}.`, partitions: 1 };
    const source = { type: 'kafka', brokers: broker.brokers, topics_regex: '.*', consumer_group: randomUUID() };
    writeFileSync(
      join(folder, 'aorta.yaml'),
      JSON.stringify({ sources: [source], streams, warehouse: { type: 'duckdb', path: 'w.duckdb', publish_every_s: 0 } }),
    );
    const topic = `events-${randomUUID()}`;
    await using client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
    await client.admin.create({ topic, partitions: 1 });
    const producer = await client.producer({});
    const event = { event_type: 'provider.connection.error', user_id: 'u-1', data: { user_id: 'u-1', provider: 'fitbit' } };
    await producer.produce({ topic, partition: 0 }, [{ key: null, value: Buffer.from(JSON.stringify(event)) }]);
    await producer.close();
    expect(await aorta(folder, ['apply'])).toMatchObject({ code: 0 });
    for (const received of [1, 0]) {
      const ran = await aorta(folder, ['run', '--once', '--json']);
      expect(ran.code).toBe(0);
      expect(JSON.parse(ran.stdout)).toMatchObject({ received, dead_letters: {} });
      expect(ran.stderr).toContain(`${streams.prefix}dead_letters`);
    }
    const named = { ...source, topics_regex: undefined, topics: [`${streams.prefix}sleep`] };
    writeFileSync(join(folder, 'named.yaml'), JSON.stringify({ sources: [named], streams }));
    const refused = await aorta(folder, ['run', '--once', '--config', 'named.yaml']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('AORTA-KAFKA-TOPIC-OWN')]);
    const doctor = await aorta(folder, ['doctor', '--config', 'named.yaml']);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('AORTA-KAFKA-TOPIC-OWN')]);
  });
});
