import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aorta } from './command.ts';

const problem = await whyNoBroker({ own: true });
const LOGIN = { user: 'etl', password: 'planted-Zq81' };

describe.skipIf(problem !== undefined)(`Kafka topics${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  let folder: string;
  let broker: ProvidedBroker;
  let client: KafkaClient;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aorta-kafka-'));
    broker = await provideBroker({ own: true, users: { [LOGIN.user]: LOGIN.password } });
    client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
    await client.admin.create({ topic: 'health-events', partitions: 2 });
    await client.admin.create({ topic: 'labs', partitions: 1, settings: { 'message.timestamp.type': 'LogAppendTime' } });
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function configure(password = LOGIN.password): void {
    const lines = [
      'sources:',
      '  - type: kafka',
      `    brokers: ['${broker.saslBrokers[0]}']`,
      `    login: { user: etl, password: "${password}" }`,
      '    topics: [health-events]',
      '    topics_regex: lab.',
      '    consumer_group: aorta-test',
      '    session_s: 6',
      'warehouse: { type: duckdb, path: w.duckdb }',
    ];
    writeFileSync(join(folder, 'aorta.yaml'), `${lines.join('\n')}\n`);
  }

  async function send(topic: string, partition: number, steps: readonly number[]): Promise<void> {
    const producer = await client.producer({});
    const records = steps.map((one) => {
      const data = { id: `a-${one}`, calendar_date: '2026-03-30', steps: one, source: { provider: 'oura', type: 'ring' } };
      const event = { event_type: 'daily.data.activity.created', user_id: 'u-1', data };
      return { key: Buffer.from('u-1'), value: Buffer.from(JSON.stringify(event)) };
    });
    await producer.produce({ topic, partition }, records);
    await producer.close();
  }

  test('aorta validate, doctor and run accept Kafka topics, and a second run loads only newer records', async () => {
    configure();
    await send('health-events', 0, [1, 2]);
    await send('labs', 0, [3]);
    expect((await aorta(folder, ['validate'])).code).toBe(0);
    const planned = JSON.parse((await aorta(folder, ['run', '--dry-run', '--json'])).stdout) as {
      readonly sources: readonly object[];
    };
    expect(planned.sources).toEqual([{ name: 'kafka', type: 'kafka', topics: ['health-events', '/lab./'] }]);
    const doctor = await aorta(folder, ['doctor']);
    expect([doctor.code, doctor.stdout]).toEqual([
      0,
      expect.stringMatching(/✓ topic health-events 2 partitions, the group aorta-test has a lag of 2 records at/),
    ]);
    expect(doctor.stdout).toMatch(/! topic health-events producers set the timestamps of its records/);
    expect(doctor.stdout).not.toMatch(/! topic labs/);
    expect(await aorta(folder, ['run', '--once'])).toMatchObject({ code: 0 });
    await send('health-events', 1, [4]);
    const ran = await aorta(folder, ['run', '--once']);
    expect(ran.code).toBe(0);
    const { stdout } = await aorta(folder, ['query', 'select steps, _offset from activity order by steps', '--json']);
    expect(JSON.parse(stdout).map(({ steps }: { readonly steps: number }) => steps)).toEqual([1, 2, 3, 4]);
    expect(await client.admin.committed('aorta-test', 'health-events')).toEqual([2, 1]);
    for (const said of [doctor, ran]) expect(said.stdout + said.stderr).not.toContain('planted-Zq81');
  });

  test('doctor and run report a wrong password and an offset beyond the end of the log', async () => {
    configure('planted-Wy93');
    const wrong = await aorta(folder, ['doctor']);
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringMatching(/✗ kafka kafka +The Kafka brokers refused the login/)]);
    const ran = await aorta(folder, ['run', '--once']);
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('AORTA-KAFKA-LOGIN')]);
    for (const said of [wrong, ran]) expect(said.stdout + said.stderr).not.toContain('planted-Wy93');
    configure();
    await client.admin.reset('aorta-test', 'health-events', new Map([[0, 99]]));
    const beyond = await aorta(folder, ['doctor']);
    expect([beyond.code, beyond.stdout]).toEqual([
      1,
      expect.stringMatching(/✗ topic health-events .*offset 99 of partition health-events\/0.* ends at 2/),
    ]);
    const refused = await aorta(folder, ['run', '--once']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('AORTA-KAFKA-OFFSET-BEYOND')]);
  });
});
