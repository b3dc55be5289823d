import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { finished } from '@aorta/machine';
import { ConfigResourceTypes, type SASLOptions } from 'kafkajs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { takesAtMost } from '../machine/goal.fixture.ts';
import { until } from '../machine/waiting.fixture.ts';
import { client, consume, produce, question } from './client.fixture.ts';
import { isReady } from './exchange.ts';
import { type BrokerOptions, createTopic, KafkaBroker, PortTaken, provideBroker, whyNoBroker, whyNoJvmBroker } from './index.ts';
import { kafkaJars } from './java.ts';

const problem = await whyNoJvmBroker();
const users = { $ConnectionString: 'Endpoint=sb://a.b/;Key="q\\uote"\\;ü=' };

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(problem !== undefined)(`a broker on this machine${problem === undefined ? '' : ` (${problem.message})`}`, () => {
  const started: KafkaBroker[] = [];
  const start = async (options?: BrokerOptions): Promise<KafkaBroker> => {
    const broker = await KafkaBroker.start(options);
    started.push(broker);
    return broker;
  };
  // This start downloads Kafka if necessary, so that no timed test includes the download.
  beforeAll(async () => {
    const broker = await KafkaBroker.start();
    await broker.stop();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(started.splice(0).map((broker) => broker.stop()));
  });

  test('a broker keeps its records after kill -9, and leaves no files after stop', async () => {
    const began = performance.now();
    const broker = await start();
    const ready = performance.now();
    const [host, port] = broker.brokers[0]!.split(':');
    // A broker of a different cluster does not count as ready.
    expect(await isReady({ id: 'AAAAAAAAAAAAAAAAAAAAAA', host: host!, port: Number(port) })).toBe(false);
    const kafka = client(broker.brokers);
    await createTopic(broker.brokers[0]!, { name: 'kept', partitions: 2 });
    await produce(kafka, 'kept', ['one', 'two']);
    const { pid } = broker;
    const killing = performance.now();
    await broker.kill();
    expect(isAlive(pid!)).toBe(false);
    expect(broker.pid).toBeUndefined();
    const restarting = performance.now();
    // With Kafka's default settings, the killed broker's old registration would block the restart for nine seconds.
    await takesAtMost(8000, 'the restart of a killed broker', () => broker.restart());
    const back = performance.now();
    await produce(kafka, 'kept', ['three']);
    expect(await consume(kafka, 'kept', 3)).toEqual(['one', 'two', 'three']);
    const folder = join(broker.log, '..');
    const stopping = performance.now();
    await broker.stop();
    const stopped = performance.now();
    expect(existsSync(folder)).toBe(false);
    const ms = [ready - began, restarting - killing, back - restarting, stopped - stopping].map(Math.round);
    process.stdout.write(`broker, in ms: ready ${ms[0]}, killed ${ms[1]}, back ${ms[2]}, stopped ${ms[3]}\n`);
  });

  test('a broker for load tests runs with production settings and without the class archive', async () => {
    const wordsOf = async (broker: KafkaBroker): Promise<string[]> =>
      (await finished('ps', ['-ww', '-o', 'args=', '-p', String(broker.pid)])).output.split(' ');
    const tested = await start();
    expect(await wordsOf(tested)).toContain('-XX:TieredStopAtLevel=1');
    const measured = await start({ purpose: 'load' });
    const words = await wordsOf(measured);
    expect(words).toContain('-Xmx1g');
    expect(words.filter((word) => /TieredStopAtLevel|SharedArchiveFile|ArchiveClassesAtExit/.test(word))).toEqual([]);
    await createTopic(measured.brokers[0]!, { name: 'measured', partitions: 1 });
    // The controller knows a topic before the broker creates the topic's folder.
    await until(
      'the folder of the topic',
      () => readdirSync(measured.records),
      (all) => all.includes('measured-0'),
    );
  });

  test('a new broker in the same folder serves the old topics on different ports', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aorta-kafka-kept-'));
    try {
      const first = await start({ folder });
      await createTopic(first.brokers[0]!, { name: 'kept', partitions: 2 });
      await produce(client(first.brokers), 'kept', ['one']);
      await first.stop();
      const second = await start({ folder });
      expect(second.brokers).not.toEqual(first.brokers);
      expect(await consume(client(second.brokers), 'kept', 1)).toEqual(['one']);
      await second.stop();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('a frozen broker accepts connections but does not answer until it is thawed', async () => {
    const broker = await start();
    await broker.freeze();
    const [host, port] = broker.brokers[0]!.split(':');
    const socket = connect(Number(port), host);
    await once(socket, 'connect');
    socket.write(question);
    let answered = false;
    const answer = once(socket, 'data').then(([bytes]) => {
      answered = true;
      return (bytes as Buffer).readInt32BE(4);
    });
    await sleep(500);
    expect(answered).toBe(false);
    await broker.thaw();
    expect(await answer).toBe(42);
    socket.destroy();
    await broker.freeze();
    await broker.stop();
  });

  test('a client can log in only with the right password, which may contain quotes and backslashes', async () => {
    const broker = await start({ users });
    const [username, password] = Object.entries(users)[0]!;
    const login = (as: string): SASLOptions => ({ mechanism: 'plain', username, password: as });
    const good = client(broker.saslBrokers, login(password)).admin();
    await good.connect();
    expect(await good.listTopics()).toEqual([]);
    await good.disconnect();
    const bad = client(broker.saslBrokers, login('another')).admin();
    await expect(bad.connect()).rejects.toThrow(/Authentication failed/);
    await bad.disconnect();
    expect(broker.saslBrokers).not.toEqual(broker.brokers);
  });

  test('custom broker properties are added to the default properties', async () => {
    const broker = await start({ properties: { 'num.partitions': '7' } });
    const admin = client(broker.brokers).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'seven' }] });
    expect((await admin.fetchTopicMetadata({ topics: ['seven'] })).topics[0]?.partitions).toHaveLength(7);
    await admin.disconnect();
  });

  test('the broker ends when the process that started it is killed with SIGKILL', async () => {
    const code = `
      import { KafkaBroker } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
      const broker = await KafkaBroker.start();
      process.stdout.write(JSON.stringify({ pid: broker.pid, log: broker.log }) + '\\n');`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(parent.stdout), 'line')) as [string];
    const { pid, log } = JSON.parse(line) as { pid: number; log: string };
    expect(isAlive(pid)).toBe(true);
    const group = execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    parent.kill('SIGKILL');
    await until('the end of the broker', () => isAlive(pid), false);
    // The shell that guards the broker has also ended, and the broker's folder has been removed.
    await until('the end of its processes', async () => (await finished('pgrep', ['-g', group])).output, '');
    expect(existsSync(join(log, '..'))).toBe(false);
  });

  test('the first broker that shuts down cleanly leaves a class archive, which the next broker uses', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'aorta-cache-'));
    const jars = await kafkaJars();
    symlinkSync(jars, join(cache, basename(jars)));
    vi.stubEnv('AORTA_CACHE', cache);
    const archives = (): string[] => readdirSync(cache).filter((name) => name.includes('classes'));
    const words = (broker: KafkaBroker): string =>
      execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(broker.pid)], { encoding: 'utf8' });
    try {
      const killed = await start();
      await killed.kill();
      expect(archives()).toEqual([]);
      await killed.restart();
      await killed.stop();
      expect(archives()).toEqual([expect.stringMatching(/^kafka-classes-[0-9a-f]{12}\.jsa$/)]);
      const next = await start();
      expect(words(next)).toContain(`-XX:SharedArchiveFile=${join(cache, archives()[0]!)}`);
      // Java logs a warning if it cannot use the class archive.
      expect(readFileSync(next.log, 'utf8')).not.toMatch(/archive/i);
      await next.stop();
    } finally {
      await rm(cache, { recursive: true, force: true });
    }
  });

  test('if a different process uses the broker’s port, a start or restart fails and the error names the port', async () => {
    const broker = await start();
    const port = Number(broker.brokers[0]!.split(':')[1]);
    await broker.kill();
    const other = createServer().listen(port, '127.0.0.1');
    try {
      await once(other, 'listening');
      await expect(start({ port })).rejects.toThrow(new PortTaken(port));
      await expect(broker.restart()).rejects.toThrow(new PortTaken(port));
    } finally {
      other.close();
    }
    await broker.restart();
  });

  test('createTopic creates a topic with its settings, and rejects invalid names, numbers and settings', async () => {
    const broker = await start();
    const [address] = broker.brokers;
    const topic = { name: 'made', partitions: 3, settings: { 'message.timestamp.type': 'LogAppendTime' } };
    expect([await createTopic(address!, topic), await createTopic(address!, topic)]).toEqual([true, false]);
    const admin = client(broker.brokers).admin();
    await admin.connect();
    expect((await admin.fetchTopicMetadata({ topics: ['made'] })).topics[0]?.partitions).toHaveLength(3);
    const names = ['message.timestamp.type'];
    const settings = await admin.describeConfigs({
      resources: [{ type: ConfigResourceTypes.TOPIC, name: 'made', configNames: names }],
      includeSynonyms: false,
    });
    expect(settings.resources[0]?.configEntries[0]?.configValue).toBe('LogAppendTime');
    await admin.disconnect();
    await expect(createTopic(address!, { name: '../up', partitions: 1 })).rejects.toThrow('the topic name is invalid');
    await expect(createTopic(address!, { name: 'none', partitions: 0 })).rejects.toThrow('the number of partitions is invalid');
    await expect(createTopic(address!, { name: 'odd', partitions: 1, settings: { 'retention.ms': 'x' } })).rejects.toThrow(
      'a topic setting is invalid',
    );
  });

  test('provideBroker uses the broker that the environment names, unless the test needs its own broker', async () => {
    vi.stubEnv('AORTA_KAFKA_BROKERS', 'kafka-1.example.com:9092,kafka-2.example.com:9092');
    const named = await provideBroker();
    expect(named).toMatchObject({ provider: 'address', brokers: ['kafka-1.example.com:9092', 'kafka-2.example.com:9092'] });
    expect(named.faults).toBeUndefined();
    const own = await provideBroker({ own: true });
    try {
      expect(own.provider).not.toBe('address');
      await own.faults?.kill();
    } finally {
      await own.stop();
    }
    // With a broker from the environment, tests run even if this machine has no Java.
    vi.stubEnv('JAVA_HOME', '/nowhere');
    expect(await whyNoBroker()).toBeUndefined();
    expect((await whyNoJvmBroker())?.message).toMatch(/^Java was not found\. Install Java 17 or newer/);
  });

  test('if a start fails, the error quotes Kafka’s message or names the process that uses the folder', async () => {
    await expect(start({ properties: { 'num.io.threads': 'none' } })).rejects.toThrow(
      /exited during startup: .*num\.io\.threads/,
    );
    const folder = await mkdtemp(join(tmpdir(), 'aorta-kafka-kept-'));
    try {
      await start({ folder });
      await expect(start({ folder })).rejects.toThrow(/A broker already runs in the folder .*, as process \d+\. Stop it/);
    } finally {
      await Promise.all(started.splice(0).map((broker) => broker.stop()));
      await rm(folder, { recursive: true, force: true });
    }
  });
});
