import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Container, containerHost, printedBy, reason, ServerProblem, startContainer } from '@aorta/machine';
import type { GenericContainer } from 'testcontainers';
import { type EmulatorOptions, emulatorSettings, emulatorWords, type RunningEmulator, serving } from '../emulator/emulator.ts';

/**
 * The Docker build context. The virtual environment of the local emulator uses the same package versions and the same start
 * program.
 */
export const CONTEXT = join(import.meta.dirname, '..', 'emulator');
const MADE_OF = ['Dockerfile', 'requirements.txt', 'start.py'];
/** The path of the start program in the image. */
export const START = '/emulator/start.py';
const REST = 9050;
const GRPC = 9060;
/** The name of a file in the shared folder. A container that can read this file really shares the folder with this machine. */
const SHARED = 'shared';

/**
 * Returns the image's name, which contains a hash of the image's sources. AORTA_BIGQUERY_IMAGE can name a different image, for
 * example in a registry mirror.
 */
export function image(): string {
  const hash = createHash('sha256');
  for (const name of MADE_OF) hash.update(readFileSync(join(CONTEXT, name)));
  return process.env.AORTA_BIGQUERY_IMAGE ?? `aorta-bigquery:${hash.digest('hex').slice(0, 12)}`;
}

/**
 * Resolves with a container that is ready to start. If the daemon does not have the image and AORTA_BIGQUERY_IMAGE is not set,
 * first builds the image from the official Python image. The packages come from PyPI, or from the mirror that PIP_INDEX_URL
 * names.
 */
async function prepared(fetching: () => void): Promise<GenericContainer> {
  // Imported only here, because the package takes a second to load and is not installed in production.
  const testcontainers = await import('testcontainers');
  const name = image();
  const { image: images } = await testcontainers.getContainerRuntimeClient();
  const there = await images.exists(testcontainers.ImageName.fromString(name));
  if (there || process.env.AORTA_BIGQUERY_IMAGE !== undefined) return new testcontainers.GenericContainer(name);
  fetching();
  const { PIP_INDEX_URL: mirror } = process.env;
  const building = testcontainers.GenericContainer.fromDockerfile(CONTEXT);
  return building.withBuildArgs(mirror === undefined ? {} : { PIP_INDEX_URL: mirror }).build(name, { deleteOnExit: false });
}

/** bqemulator in a Docker container. If this process is killed, Testcontainers' reaper removes the container. */
export class ContainerEmulator implements RunningEmulator {
  readonly provider = 'docker';
  readonly address: string;
  readonly place: string;
  readonly #container: Container;
  #stopped: Promise<void> | undefined;

  private constructor(container: Container, address: string, place: string) {
    this.#container = container;
    this.address = address;
    this.place = place;
  }

  /**
   * Starts the emulator. Rejects if the Docker daemon does not answer, cannot get the image, or cannot share a folder with this
   * machine. Also rejects if the emulator does not become ready.
   */
  static async start({ project, fetching = () => {} }: EmulatorOptions): Promise<ContainerEmulator> {
    const container = await prepared(fetching);
    await using opening = new AsyncDisposableStack();
    const place = opening.adopt(await mkdtemp(join(tmpdir(), 'aorta-bigquery-')), (one) =>
      rm(one, { recursive: true, force: true }),
    );
    await writeFile(join(place, SHARED), '', { mode: 0o600 });
    // A daemon on another machine would mount an empty folder, and every load would fail.
    const look = `[ -r '${join(place, SHARED)}' ] || { echo 'the container shares no folder with this machine'; exit 1; }`;
    const words = emulatorWords({ host: '0.0.0.0', rest: REST, grpc: GRPC, project });
    const started = await startContainer(
      container
        .withEntrypoint(['/bin/sh', '-c', `${look}\nexec python ${START} ${words.join(' ')}`])
        .withEnvironment({ ...emulatorSettings, AORTA_EMULATOR_HOST: await containerHost() })
        .withBindMounts([{ source: place, target: place, mode: 'ro' }])
        .withExposedPorts(REST),
    );
    const address = `http://${started.host}:${started.port(REST)}`;
    const emulator = opening.adopt(new ContainerEmulator(started.container, address, place), (one) => one.stop());
    const problem = await serving(address, project, async () => (await started.container.inspect()).State.Running);
    if (problem !== undefined) {
      const said = await printedBy(started.container);
      throw new ServerProblem(`The local BigQuery in a container ${problem}`, `Its output: ${reason(said)}.`);
    }
    opening.move();
    return emulator;
  }

  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      await this.#container.remove({ force: true, v: true });
      await rm(this.place, { recursive: true, force: true });
    })();
    return this.#stopped;
  }
}
