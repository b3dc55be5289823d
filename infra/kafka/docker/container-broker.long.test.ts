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
 * These tests use a running Docker daemon, or start a daemon if the machine allows it. On Linux, the tests build a small
 * image themselves. On other systems, such as a Mac with Docker, the daemon pulls Apache's image.
 */
const answers = await dockerAnswers();
const noImage = await whyNoImage();
const problem = answers ? undefined : (whyNoDaemon() ?? noImage);

const IMAGE = `aorta-kafka:${process.pid}`;
const users = { etl: 'pass"word\\' };

/** Returns why this machine cannot build the image; undefined if it can. */
async function whyNoImage(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'only the Java of Linux can run in a container';
  const noBroker = await whyNoJvmBroker();
  if (noBroker !== undefined) return noBroker.message;
  try {
    execFileSync(jlink(), ['--version']);
    return undefined;
  } catch {
    return 'jlink was not found (on Debian: apt-get install openjdk-17-jdk-headless)';
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
    // The daemon would have to pull an image for Testcontainers' reaper. The tests do not need the reaper, because they
    // remove their own containers.
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

  test('provideBroker returns a broker in a container, which tests can kill, restart, freeze and stop', async () => {
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

  test('a start that fails rejects with the reason and leaves no container', async () => {
    const { ContainerBroker } = await import('./container-broker.ts');
    const wrong = ContainerBroker.start({ properties: { 'num.io.threads': 'none' } });
    await expect(wrong).rejects.toThrow(/in the container exited during startup: .*num\.io\.threads/);
    const { container } = await getContainerRuntimeClient();
    expect((await container.list()).filter(({ Image }) => Image === IMAGE)).toEqual([]);
  });

  test('provideBroker starts a broker on this machine instead if the daemon cannot get the image', async () => {
    vi.stubEnv('AORTA_KAFKA_IMAGE', 'localhost:1/none:1');
    try {
      broker = await provideBroker();
      expect(broker.provider).toBe('jvm');
    } finally {
      vi.stubEnv('AORTA_KAFKA_IMAGE', IMAGE);
    }
  });

  // This test stops the daemon, so the tests must have started it. Otherwise the test is left out instead of skipped,
  // because a skipped test fails in CI.
  if (!answers)
    test('stopping the daemon that the tests started removes everything that it created, including a broker', async () => {
      broker = await provideBroker();
      expect(broker.provider).toBe('docker');
      const port = Number(broker.brokers[0]!.split(':')[1]);
      // Close the socket now. Otherwise, stopping the broker would reset the connection, and no handler would catch the
      // error.
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
