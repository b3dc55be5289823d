import { existsSync } from 'node:fs';
import { dockerAnswers } from '@aorta/machine';
import { type Daemon, startDaemon, whyNoDaemon } from '@aorta/machine/docker.fixture';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { noEmulatorPython } from '../emulator/python.ts';
import { type ProvidedBigQuery, provideBigQuery } from '../index.ts';
import { ContainerEmulator } from './container-emulator.ts';
import { buildImage } from './image.fixture.ts';

/*
 * The tests use a running Docker daemon, or start one if the machine allows it. On Linux, they build the emulator's image from
 * this machine's Python and virtual environment. On other systems, such as macOS, the daemon builds the image from the
 * Dockerfile.
 */
const answers = await dockerAnswers();
const noImage = process.platform === 'linux' ? await noEmulatorPython() : 'only the Python of Linux can run in a container';
const problem = answers ? undefined : (whyNoDaemon() ?? noImage);

const IMAGE = `aorta-bigquery:${process.pid}`;

describe.skipIf(problem !== undefined)(`the local BigQuery in a container${problem === undefined ? '' : ` (${problem})`}`, () => {
  let daemon: Daemon | undefined;
  let removeImage: (() => Promise<void>) | undefined;
  let provided: ProvidedBigQuery | undefined;

  beforeAll(async () => {
    if (!answers) {
      daemon = await startDaemon();
      vi.stubEnv('DOCKER_HOST', daemon.host);
    }
    if (noImage !== undefined) return;
    // Disable Testcontainers' reaper, because the daemon would have to pull the reaper's image. The tests remove their containers
    // themselves.
    vi.stubEnv('TESTCONTAINERS_RYUK_DISABLED', 'true');
    vi.stubEnv('AORTA_BIGQUERY_IMAGE', IMAGE);
    removeImage = await buildImage(IMAGE);
  });
  afterEach(() => provided?.stop());
  afterAll(async () => {
    await removeImage?.();
    await daemon?.stop();
    vi.unstubAllEnvs();
  });

  const ours = async () => {
    const { container } = await getContainerRuntimeClient();
    return (await container.list()).filter(({ Image }) => Image === IMAGE);
  };

  test('is used instead of a local process, answers calls, applies faults, and removes its container when stopped', async () => {
    const began = performance.now();
    provided = await provideBigQuery({ own: true });
    const ready = performance.now() - began;
    expect(provided.provider).toBe('docker');
    const client = provided.client({ autoRetry: false });
    const [dataset] = await client.createDataset('health');
    const [table] = await dataset.createTable('t', { schema: [{ name: 'id', type: 'STRING', mode: 'REQUIRED' }] });
    const load = (rows: string, jobId: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const writing = table.createWriteStream({ sourceFormat: 'NEWLINE_DELIMITED_JSON', jobId });
        writing.on('complete', resolve).on('error', reject).end(rows);
      });
    await load('{"id":"a"}\n{"id":"b"}\n', 'one');
    // Without the server in front of it, the emulator would load the rows a second time.
    await expect(load('{"id":"a"}\n', 'one')).rejects.toMatchObject({ code: 409 });
    expect((await client.query('SELECT id FROM health.t ORDER BY id'))[0]).toEqual([{ id: 'a' }, { id: 'b' }]);
    await provided.control!.inject({ on: 'datasets-list', fault: { kind: 'status', status: 503, reason: 'backendError' } });
    await expect(client.getDatasets()).rejects.toMatchObject({ code: 503 });
    expect(await ours()).toHaveLength(1);
    const stopping = performance.now();
    await provided.stop();
    process.stdout.write(
      `BigQuery in a container, in ms: ready ${Math.round(ready)}, stopped ${Math.round(performance.now() - stopping)}\n`,
    );
    expect(await ours()).toEqual([]);
  });

  test('a failed start reports the reason and leaves no container behind', async () => {
    await expect(ContainerEmulator.start({ project: '' })).rejects.toThrow(
      'The local BigQuery in a container exited during startup',
    );
    expect(await ours()).toEqual([]);
  });

  test('the emulator runs with this machine’s Python if the daemon cannot get the image', async () => {
    vi.stubEnv('AORTA_BIGQUERY_IMAGE', 'localhost:1/none:1');
    try {
      provided = await provideBigQuery({ own: true });
      expect(provided.provider).toBe('local');
    } finally {
      vi.stubEnv('AORTA_BIGQUERY_IMAGE', IMAGE);
    }
  });

  test('stop() removes the folder that the container shares with this machine', async () => {
    const emulator = await ContainerEmulator.start({ project: 'test' });
    expect(existsSync(emulator.place)).toBe(true);
    await emulator.stop();
    await emulator.stop();
    expect(existsSync(emulator.place)).toBe(false);
  });
});
