import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dockerAnswers } from '@aorta/machine';
import { type Daemon, startDaemon, whyNoDaemon } from '@aorta/machine/docker.fixture';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { client, consume, produce, question } from '../client.fixture.ts';
import { createTopic, type ProvidedBroker, provideBroker, whyNoJvmBroker } from '../index.ts';
import { LIBS } from './container-broker.ts';
import { buildImage, jlink } from './image.fixture.ts';

/*
 * A daemon that answers is used; else one is started for this file, where the machine allows it. The image is made on the
 * spot on Linux, where Java can be made small; elsewhere, on a Mac with Docker, it is Apache's own, which the daemon pulls.
 */
const answers = await dockerAnswers();
const noImage = await whyNoImage();
const problem = answers ? undefined : (whyNoDaemon() ?? noImage);

const IMAGE = `aorta-kafka:${process.pid}`;
const users = { etl: 'pass"word\\' };

/** Why none can be made here, as a sentence. */
async function whyNoImage(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'Java of this system is none for a container';
  const noBroker = await whyNoJvmBroker();
  if (noBroker !== undefined) return noBroker.message;
  try {
    execFileSync(jlink(), ['--version']);
    return undefined;
  } catch {
    return 'there is no jlink (on Debian: apt-get install openjdk-17-jdk-headless)';
  }
}

describe.skipIf(problem !== undefined)(`a broker in a container${problem === undefined ? '' : ` (${problem})`}`, () => {
  let daemon: Daemon | undefined;
  let removeImage: (() => Promise<void>) | undefined;
  let broker: ProvidedBroker | undefined;

  beforeAll(async () => {
    if (!answers) {
      daemon = await startDaemon();
      expect(existsSync(`/sys/class/net/${daemon.bridge}`)).toBe(true);
      vi.stubEnv('DOCKER_HOST', daemon.host);
    }
    if (noImage !== undefined) return;
    // Nothing is pulled: the reaper would be, and what we start is removed below.
    vi.stubEnv('TESTCONTAINERS_RYUK_DISABLED', 'true');
    vi.stubEnv('AORTA_KAFKA_IMAGE', IMAGE);
    removeImage = await buildImage(IMAGE);
  });
  afterEach(() => broker?.stop());
  afterAll(async () => {
    await removeImage?.();
    await daemon?.stop();
    vi.unstubAllEnvs();
  });

  test('is given before one of this machine’s Java, keeps its records through kill -9, can be frozen, and is gone at its end', async () => {
    const began = performance.now();
    broker = await provideBroker({ users });
    const ready = performance.now();
    expect(broker.provider).toBe('docker');
    const [address] = broker.brokers;
    await createTopic(address!, { name: 'kept', partitions: 1 });
    await produce(client(broker.brokers), 'kept', ['one', 'two']);
    await broker.faults!.kill();
    const killed = performance.now();
    await broker.faults!.restart();
    const back = performance.now();
    const sasl = { mechanism: 'plain', username: 'etl', password: users.etl } as const;
    expect(await consume(client(broker.saslBrokers, sasl), 'kept', 2)).toEqual(['one', 'two']);

    await broker.faults!.freeze();
    const [host, port] = address!.split(':');
    const socket = connect(Number(port), host);
    await once(socket, 'connect');
    let answered = false;
    const answer = once(socket, 'data').then(([bytes]) => {
      answered = true;
      return (bytes as Buffer).readInt32BE(4);
    });
    socket.write(question);
    await sleep(500);
    expect(answered).toBe(false);
    await broker.faults!.thaw();
    expect(await answer).toBe(42);
    socket.destroy();

    await broker.faults!.freeze();
    const stopping = performance.now();
    await broker.stop();
    const ms = [ready - began, back - killed, performance.now() - stopping].map(Math.round);
    process.stdout.write(`broker in a container, in ms: ready ${ms[0]}, back ${ms[1]}, stopped ${ms[2]}\n`);
    const { container } = await getContainerRuntimeClient();
    const ours = (await container.list()).filter(({ Image }) => Image === IMAGE);
    expect(ours).toEqual([]);
  });

  test('says why where it cannot start, and leaves nothing', async () => {
    const { ContainerBroker } = await import('./container-broker.ts');
    const wrong = ContainerBroker.start({ properties: { 'num.io.threads': 'none' } });
    await expect(wrong).rejects.toThrow(/in the container ended at its start: .*num\.io\.threads/);
    const { container } = await getContainerRuntimeClient();
    expect((await container.list()).filter(({ Image }) => Image === IMAGE)).toEqual([]);
  });

  test('is one of this machine’s Java where the daemon cannot have the image', async () => {
    vi.stubEnv('AORTA_KAFKA_IMAGE', 'localhost:1/none:1');
    try {
      broker = await provideBroker();
      expect(broker.provider).toBe('jvm');
    } finally {
      vi.stubEnv('AORTA_KAFKA_IMAGE', IMAGE);
    }
  });

  // Where one answered before, there is none of our own; a test that is skipped would be a failure in CI.
  if (!answers)
    test('a daemon of our own ends with everything that it made, a broker too', async () => {
      broker = await provideBroker();
      expect(broker.provider).toBe('docker');
      const port = Number(broker.brokers[0]!.split(':')[1]);
      // Destroyed at once: a connection left open is reset with the broker, at a time when nobody listens to it.
      const answered = async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        socket.destroy();
      };
      await answered();
      const { folder, bridge, pid, stop } = daemon!;
      broker = undefined;
      daemon = undefined;
      removeImage = undefined;
      await stop();
      expect(() => process.kill(pid, 0)).toThrow();
      for (const left of [folder, LIBS, 'docker-proxy', 'containerd'])
        expect(() => execFileSync('pgrep', ['-f', left])).toThrow();
      expect(existsSync(folder)).toBe(false);
      expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(folder);
      expect(existsSync(`/sys/class/net/${bridge}`)).toBe(false);
      await expect(answered()).rejects.toThrow('ECONNREFUSED');
    });
});
