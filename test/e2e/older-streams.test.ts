import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { BlobServiceClient } from '@azure/storage-blob';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BlobServer, startBlobServer } from '../../connectors/event-hubs/checkpoints/blob-server.fixture.ts';
import { aorta } from './command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aorta-older-streams-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const streams = () => join(folder, 'w.duckdb.streams');
const copy = () => join(folder, 'copy');

function configure(source: object, { file = 'aorta.yaml', warehouse = 'w.duckdb' } = {}): void {
  const configuration = { sources: [source], warehouse: { type: 'duckdb', path: warehouse } };
  writeFileSync(join(folder, file), JSON.stringify(configuration));
}

function event(steps: number): Buffer {
  const data = { id: `a-${steps}`, calendar_date: '2026-03-30', steps, source: { provider: 'oura', type: 'ring' } };
  return Buffer.from(JSON.stringify({ event_type: 'daily.data.activity.created', user_id: 'u-1', data }));
}

async function run(): Promise<void> {
  expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
}

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly remedy?: string;
}

/** Runs `aorta doctor`, and returns its exit code and what it reports about receipts. */
async function doctor(...flags: readonly string[]): Promise<{ code: number | null; receipts: readonly Finding[] }> {
  const { code, stdout } = await aorta(folder, ['doctor', '--json', ...flags]);
  const findings: readonly Finding[] = JSON.parse(stdout);
  return { code, receipts: findings.filter(({ check }) => check.startsWith('receipts')) };
}

/** Replaces the streams with the older copy, but not the tables. */
function restoreStreams(): void {
  rmSync(streams(), { recursive: true });
  cpSync(copy(), streams(), { recursive: true });
}

/** Runs with tables that are newer than the streams. Aorta says so once, and reads the streams from their start. */
async function runWithOlderStreams(): Promise<void> {
  const { code, stderr } = await aorta(folder, ['run', '--once']);
  expect([code, stderr]).toEqual([1, expect.stringContaining('AORTA-STREAM-SHORTER')]);
}

/** Returns the steps of the loaded events, and the offsets of the loaded receipts by partition. */
async function loaded(): Promise<{ steps: readonly number[]; receipts: readonly string[] }> {
  const rows = async (sql: string) => JSON.parse((await aorta(folder, ['query', sql, '--json'])).stdout);
  const steps: readonly { steps: number }[] = await rows('select steps from activity order by steps');
  const receipts: readonly { partition: string; offset: number }[] = await rows(
    'select source_partition as "partition", source_offset as "offset" from deliveries order by all',
  );
  return { steps: steps.map((row) => row.steps), receipts: receipts.map((row) => `${row.partition} ${row.offset}`) };
}

const problem = await whyNoBroker({ own: true });

describe.skipIf(problem !== undefined)(`a Kafka source${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let broker: ProvidedBroker;
  let client: KafkaClient;
  let group: string;
  let topic: string;
  let topics = 0;
  beforeAll(async () => {
    broker = await provideBroker({ own: true });
    client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
  });
  beforeEach(async () => {
    topics += 1;
    topic = `events-${topics}`;
    group = `the group ${topics}`;
    await client.admin.create({ topic, partitions: 2 });
    configure(source());
  });

  const source = () => ({ type: 'kafka', brokers: broker.brokers, topics: [topic], consumer_group: group, session_s: 6 });

  async function send(partition: number, ...steps: readonly number[]): Promise<void> {
    const producer = await client.producer({});
    await producer.produce(
      { topic, partition },
      steps.map((one) => ({ key: null, value: event(one) })),
    );
    await producer.close();
  }

  /** Does what the printed command does, which is part of Kafka and not of this repository. */
  async function follow({ remedy = '' }: Finding): Promise<void> {
    const command =
      /`kafka-consumer-groups\.sh --bootstrap-server (\S+) --group '(.+)' --topic (\S+):(\d+) --reset-offsets --to-offset (\d+) --execute`/;
    const [, brokers, named, of, partition, offset] = command.exec(remedy) ?? [];
    expect([brokers, named, of]).toEqual([broker.brokers.join(','), group, topic]);
    await client.admin.reset(group, topic, new Map([[Number(partition), Number(offset)]]));
  }

  test('doctor names the events that an older copy of the streams lacks, and its remedy brings them back', async () => {
    await send(0, 1, 2);
    await send(1, 3);
    await run();
    cpSync(streams(), copy(), { recursive: true });
    await send(0, 4);
    await send(1, 5, 6);
    await run();
    expect(await doctor()).toEqual({ code: 0, receipts: [] });
    restoreStreams();
    const { code, receipts } = await doctor();
    expect([code, await doctor('--deep')]).toEqual([1, { code, receipts }]);
    expect(receipts).toMatchObject([
      { state: 'fail', found: expect.stringMatching(/partition events-\d+\/0 .* offset 2, .* is 1\.$/) },
      { state: 'fail', found: expect.stringMatching(/partition events-\d+\/1 .* offset 2, .* is 0\.$/) },
    ]);
    for (const finding of receipts) await follow(finding);
    await send(0, 7);
    await runWithOlderStreams();
    expect(await loaded()).toEqual({
      steps: [1, 2, 3, 4, 5, 6, 7],
      receipts: [...[0, 1, 2, 3].map((offset) => `${topic}/0 ${offset}`), ...[0, 1, 2].map((offset) => `${topic}/1 ${offset}`)],
    });
    expect(await doctor()).toEqual({ code: 0, receipts: [] });
  });

  test('doctor warns if the streams were deleted, or if another data folder has taken the events', async () => {
    await send(0, 1, 2);
    await run();
    configure(source(), { file: 'other.yaml', warehouse: 'other.duckdb' });
    const warning = {
      code: 0,
      receipts: [{ state: 'warn', found: expect.stringMatching(/has taken \(events-\d+\/0 up to 1\)\.$/) }],
    };
    expect(await doctor('--config', 'other.yaml')).toMatchObject(warning);
    rmSync(streams(), { recursive: true });
    expect(await doctor()).toMatchObject(warning);
  });

  test('doctor only warns about an offset that a person has set', async () => {
    await send(0, 1, 2, 3);
    await run();
    await send(0, 4, 5);
    await client.admin.reset(group, topic, new Map([[0, 5]]));
    expect(await doctor()).toMatchObject({
      code: 0,
      receipts: [{ state: 'warn', found: expect.stringContaining('/0 up to 4') }],
    });
    await client.admin.reset(group, topic, new Map([[0, 3]]));
    expect(await doctor()).toEqual({ code: 0, receipts: [] });
  });
});

describe('an Event Hubs source', () => {
  let server: EventHubsServer;
  let blobs: BlobServer;
  beforeAll(async () => {
    blobs = await startBlobServer();
  });
  afterAll(() => blobs?.stop());
  beforeEach(async () => {
    server = await startEventHubs({ hubs: [{ name: 'health', partitions: 2 }] });
  });
  afterEach(() => server?.stop());

  const container = (name: string) => BlobServiceClient.fromConnectionString(blobs.connection).getContainerClient(name);
  const source = (checkpoints: object) => ({
    type: 'event-hubs',
    connection: server.connectionString,
    hubs: ['health'],
    claim_s: 0.5,
    checkpoints,
  });

  async function publish(partition: string, ...steps: readonly number[]): Promise<void> {
    const events = steps.map((one) => ({ body: event(one).toString('base64') }));
    await server.faults.append({ hub: 'health', partition, events });
  }

  /** Restores an older copy of the streams, follows the remedy with `follow`, and checks that all events are there. */
  async function restoredWith(follow: (finding: Finding) => Promise<void>): Promise<void> {
    await publish('0', 1, 2);
    await publish('1', 3);
    await run();
    cpSync(streams(), copy(), { recursive: true });
    await publish('1', 4, 5);
    await run();
    expect(await doctor()).toEqual({ code: 0, receipts: [] });
    restoreStreams();
    const { code, receipts } = await doctor();
    expect([code, receipts]).toMatchObject([
      1,
      [{ state: 'fail', found: expect.stringMatching(/partition health\/1 .* offset 2, .* is 0\.$/) }],
    ]);
    await follow(receipts[0]!);
    await runWithOlderStreams();
    const { steps, receipts: rows } = await loaded();
    expect([steps, rows]).toEqual([
      [1, 2, 3, 4, 5],
      ['health/0 0', 'health/0 1', 'health/1 0', 'health/1 1', 'health/1 2'],
    ]);
    expect(await doctor()).toEqual({ code: 0, receipts: [] });
  }

  test('with checkpoints in files: doctor names the missing events, and its remedy brings them back', async () => {
    configure(source({ type: 'file', folder: join(folder, 'checkpoints') }));
    await restoredWith(async ({ remedy = '' }) => {
      const files = globSync(/delete the file (\S+)/.exec(remedy)?.[1] ?? '');
      expect(files).toHaveLength(1);
      for (const file of files) rmSync(file);
    });
  });

  test('with checkpoints in blobs: doctor names the missing events, and its remedy brings them back', async () => {
    await container('older-streams').create();
    configure(source({ type: 'blob', container: 'older-streams', connection: blobs.connection }));
    await restoredWith(async ({ remedy = '' }) => {
      const [, blob, named] = /delete the blob (\S+) in the container (\S+?)\./.exec(remedy) ?? [];
      await container(named ?? '').deleteBlob(blob ?? '');
    });
  });

  test('doctor says nothing about a hub whose reading has started at its end, and creates no checkpoints', async () => {
    const checkpoints = join(folder, 'checkpoints');
    await publish('0', 1, 2);
    configure({ ...source({ type: 'file', folder: checkpoints }), start_position: 'latest' });
    expect([await doctor(), globSync(checkpoints)]).toEqual([{ code: 0, receipts: [] }, []]);
    await run();
    expect(globSync(join(checkpoints, '**', 'checkpoints', '0.*'))).toHaveLength(1);
    expect(await doctor('--deep')).toEqual({ code: 0, receipts: [] });
  });
});
