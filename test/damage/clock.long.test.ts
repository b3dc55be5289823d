import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type KafkaClient, openKafka } from '@aorta/connectors/kafka/client';
import { type EventHubsServer, startEventHubs } from '@aorta/event-hubs-server';
import { type ProvidedBroker, provideBroker, whyNoBroker } from '@aorta/kafka-broker';
import { silentLogger } from '@aorta/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../../infra/machine/ports.ts';
import { until } from '../../infra/machine/waiting.fixture.ts';
import { aorta } from '../e2e/command.ts';
import { attempt } from '../faults/webhook/service.ts';
import { OwnClock, whyNoOwnClock } from './set-clock.ts';

const program = join(import.meta.dirname, '../../pipelines/aorta/bin/aorta.js');
const SECRET = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;

const noBroker = await whyNoBroker({ own: true });
const problem = whyNoOwnClock() ?? noBroker?.message;

interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly { readonly reason: string; readonly since: string }[];
}

describe.skipIf(problem !== undefined)(`a run whose system clock is set${problem === undefined ? '' : ` (${problem})`}`, () => {
  let broker: ProvidedBroker;
  let client: KafkaClient;
  beforeAll(async () => {
    broker = await provideBroker({ own: true });
    client = openKafka({ brokers: broker.brokers, clientId: 'test' }, { logger: silentLogger });
  });
  afterAll(async () => {
    await client?.close();
    await broker?.stop();
  });

  /** A folder with a configuration of every kind of source, its servers, and a run with a clock of its own. */
  class Stage implements AsyncDisposable {
    readonly clock: OwnClock;
    readonly #folder: string;
    /** The last part of the folder's path, which is also the Kafka topic. */
    readonly #topic: string;
    readonly #hubs: EventHubsServer;
    readonly #webhook: string;
    readonly #health: string;
    #run: ChildProcess | undefined;

    private constructor(folder: string, clock: OwnClock, hubs: EventHubsServer, webhook: string, health: string) {
      this.#folder = folder;
      this.#topic = basename(folder);
      this.clock = clock;
      this.#hubs = hubs;
      this.#webhook = webhook;
      this.#health = health;
    }

    static async open(): Promise<Stage> {
      const folder = mkdtempSync(join(tmpdir(), 'aorta-clock-'));
      const topic = basename(folder);
      await client.admin.create({ topic, partitions: 1 });
      const clock = await OwnClock.create(folder);
      const hubs = await startEventHubs({ hubs: [{ name: 'health', partitions: 1 }] });
      const [webhook, health] = (await freePorts(2)).map(String) as [string, string];
      mkdirSync(join(folder, 'in'));
      const lines = [
        'sources:',
        '  - { type: files, paths: [in], poll_s: 1, received_at: 2026-05-06T00:00:00Z }',
        `  - { type: webhook, listen: '127.0.0.1:${webhook}', secrets: ['${SECRET}'] }`,
        `  - { type: kafka, brokers: ['${broker.brokers[0]}'], topics: [${topic}], consumer_group: '${topic}', session_s: 6 }`,
        `  - { type: event-hubs, connection: '${hubs.connectionString}', hubs: [health], claim_s: 0.5, stalled_s: 5 }`,
        'warehouse: { type: duckdb, path: w.duckdb, publish_every_s: 2 }',
        `health: { port: ${health}, stalled_after_s: 10 }`,
      ];
      writeFileSync(join(folder, 'aorta.yaml'), `${lines.join('\n')}\n`);
      return new Stage(folder, clock, hubs, webhook, health);
    }

    start(): void {
      const log = openSync(join(this.#folder, 'log'), 'a');
      const env = { ...process.env, ...this.clock.environment };
      this.#run = spawn(process.execPath, [program, 'run'], { cwd: this.#folder, env, stdio: ['ignore', 'ignore', log] });
    }

    /** Sends one event through each source. */
    async send(name: string): Promise<void> {
      const eventOf = (source: string): string => {
        const data = {
          id: `${source}-${name}`,
          calendar_date: '2026-05-04',
          steps: 10,
          source: { provider: 'oura', type: 'ring' },
        };
        return JSON.stringify({ event_type: 'daily.data.activity.created', user_id: 'u-1', team_id: 't-1', data });
      };
      const part = join(this.#folder, `${name}.part`);
      writeFileSync(part, `${eventOf('files')}\n`);
      renameSync(part, join(this.#folder, 'in', `${name}.ndjson`));
      const url = `http://127.0.0.1:${this.#webhook}/webhook`;
      const message = { id: `msg_${name}`, body: eventOf('webhook') };
      await until('the acknowledgement of the webhook', () => attempt(message, { url, secret: SECRET }), 204, this.seen);
      const producer = await client.producer({});
      await producer.produce({ topic: this.#topic, partition: 0 }, [
        { key: Buffer.from('u-1'), value: Buffer.from(eventOf('kafka')) },
      ]);
      await producer.close();
      const properties = { 'event-type': 'daily.data.activity.created', 'user-id': 'u-1', 'idempotency-key': name };
      const body = Buffer.from(eventOf('hub')).toString('base64');
      await this.#hubs.faults.append({ hub: 'health', partition: '0', events: [{ body, properties }] });
    }

    /** Returns the ids in the published table, sorted. */
    async published(): Promise<string[]> {
      const { code, stdout } = await aorta(this.#folder, ['query', '--json', 'select id from activity order by id']);
      return code === 0 ? (JSON.parse(stdout) as { readonly id: string }[]).map(({ id }) => id) : [];
    }

    /** Waits until the events of these names are published, and nothing else. */
    async arrived(...names: readonly string[]): Promise<void> {
      const ids = ['files', 'hub', 'kafka', 'webhook'].flatMap((source) => names.map((name) => `${source}-${name}`)).sort();
      await until(`the events ${names.join(', ')}`, () => this.published(), ids, this.seen);
    }

    async readiness(): Promise<Readiness | undefined> {
      const answer = await fetch(`http://127.0.0.1:${this.#health}/readyz`).catch(() => undefined);
      return answer === undefined ? undefined : ((await answer.json()) as Readiness);
    }

    async ready(ready: boolean): Promise<Readiness> {
      const found = await until(
        `ready: ${ready}`,
        () => this.readiness(),
        (one) => one?.ready === ready,
        this.seen,
      );
      return found!;
    }

    async status(): Promise<{ readonly workers: readonly { readonly state: string }[] }> {
      return JSON.parse((await aorta(this.#folder, ['status', '--json'], '', this.clock.environment)).stdout);
    }

    /** Describes the state of the run for a failure. */
    seen = async (): Promise<string> => {
      const state = { published: await this.published(), readiness: await this.readiness(), status: await this.status() };
      return `${JSON.stringify(state)}\n${this.log()}`;
    };

    log(): string {
      return readFileSync(join(this.#folder, 'log'), 'utf8').slice(-4000);
    }

    /** Stops the run, and starts another one with the right clock. Returns the number of deliveries, and of those not redelivered. */
    async end(): Promise<unknown> {
      const run = this.#run!;
      run.kill('SIGTERM');
      expect(await once(run, 'exit'), this.log()).toEqual([0, null]);
      expect(await aorta(this.#folder, ['run', '--once'])).toMatchObject({ code: 0 });
      const sql = 'select count(*) as deliveries, count(*) filter (not redelivered) as firsts from deliveries';
      return JSON.parse((await aorta(this.#folder, ['query', '--json', sql])).stdout)[0];
    }

    async [Symbol.asyncDispose](): Promise<void> {
      if (this.#run?.exitCode === null) this.#run.kill('SIGKILL');
      await this.#hubs.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  test.each([
    ['two hours back', '-2h'],
    ['two hours forward', '+2h'],
  ])('%s, and right again later, loads and publishes every event once, and readiness tells the truth', async (_, offset) => {
    await using stage = await Stage.open();
    stage.start();
    await stage.send('a');
    await stage.arrived('a');
    await stage.ready(true);

    stage.clock.set(offset);
    await stage.send('b');
    await stage.arrived('a', 'b');
    await stage.ready(true);
    expect((await stage.status()).workers).toMatchObject([{ state: 'ready' }]);

    // A source that does not answer is reported with the new clock, too, and its data arrives afterwards.
    await broker.faults!.freeze();
    const { reasons } = await stage.ready(false);
    expect(reasons.map(({ reason }) => reason).join()).toContain('kafka');
    await broker.faults!.thaw();
    await stage.ready(true);
    await stage.send('c');
    await stage.arrived('a', 'b', 'c');

    stage.clock.set('+0');
    await stage.send('d');
    await stage.arrived('a', 'b', 'c', 'd');
    await stage.ready(true);
    expect(await stage.end()).toEqual({ deliveries: 16, firsts: 16 });
  });
});
