import { existsSync } from 'node:fs';
import { dockerAnswers } from '@aorta/machine';
import { type Daemon, startDaemon, whyNoDaemon } from '@aorta/machine/docker.fixture';
import { getContainerRuntimeClient } from 'testcontainers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { pythonProblem } from '../emulator/python.ts';
import { type ProvidedBigQuery, provideBigQuery } from '../index.ts';
import { ContainerEmulator } from './container-emulator.ts';
import { buildImage } from './image.fixture.ts';

/*
 * A daemon that answers is used; else one is started for this file, where the machine allows it. The image is made on the
 * spot on Linux, of this machine's Python and what the virtual environment has; elsewhere, on a Mac with Docker, it is made
 * by the Dockerfile, for which the daemon pulls Python's own.
 */
const answers = await dockerAnswers();
const noImage = process.platform === 'linux' ? await pythonProblem() : 'Python of this system is none for a container';
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
    // Nothing is pulled: the reaper would be, and what we start is removed below.
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

  test('is given before one of this machine’s Python, serves with what the emulator lacks, and is gone at its end', async () => {
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
    // The emulator would load it again.
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

  test('says why where it cannot start, and leaves nothing', async () => {
    await expect(ContainerEmulator.start({ project: '' })).rejects.toThrow(
      'The local BigQuery in a container ended at its start',
    );
    expect(await ours()).toEqual([]);
  });

  test('is one of this machine’s Python where the daemon cannot have the image', async () => {
    vi.stubEnv('AORTA_BIGQUERY_IMAGE', 'localhost:1/none:1');
    try {
      provided = await provideBigQuery({ own: true });
      expect(provided.provider).toBe('local');
    } finally {
      vi.stubEnv('AORTA_BIGQUERY_IMAGE', IMAGE);
    }
  });

  test('leaves no folder of this machine behind', async () => {
    const emulator = await ContainerEmulator.start({ project: 'test' });
    expect(existsSync(emulator.place)).toBe(true);
    await emulator.stop();
    await emulator.stop();
    expect(existsSync(emulator.place)).toBe(false);
  });
});
