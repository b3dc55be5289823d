import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Container, printedBy, reason, ServerProblem, startContainer } from '@aorta/machine';
import type { GenericContainer } from 'testcontainers';
import { type EmulatorOptions, type RunningEmulator, serving } from '../emulator/running.ts';
import { emulatorSettings, emulatorWords } from '../emulator/words.ts';

/** What the image is made of: the pins and the start of the virtual environment, too. */
export const CONTEXT = join(import.meta.dirname, '..', 'emulator');
const MADE_OF = ['Dockerfile', 'requirements.txt', 'start.py'];
/** Where the image has the program that starts it. */
export const START = '/emulator/start.py';
const REST = 9050;
const GRPC = 9060;
/** A file of this machine by which the container sees that it shares a folder with it. */
const SHARED = 'shared';

/** The image's name, by what it is made of; AORTA_BIGQUERY_IMAGE names one that is there, or is pulled: on a mirror, say. */
export function image(): string {
  const hash = createHash('sha256');
  for (const name of MADE_OF) hash.update(readFileSync(join(CONTEXT, name)));
  return process.env.AORTA_BIGQUERY_IMAGE ?? `aorta-bigquery:${hash.digest('hex').slice(0, 12)}`;
}

/** The image, made where the daemon has none of its name: out of Python's own and PyPI, or the mirror that PIP_INDEX_URL names. */
async function prepared(fetching: () => void): Promise<GenericContainer> {
  // Only here: a second of loading, and no part of what is installed for running.
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

/** bqemulator in a container of Docker. Testcontainers' reaper removes it where this process is killed. */
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

  /** Starts one. Rejects where no daemon answers, where it can have no image, or shares no folder with this machine. */
  static async start({ project, fetching = () => {} }: EmulatorOptions): Promise<ContainerEmulator> {
    const container = await prepared(fetching);
    await using opening = new AsyncDisposableStack();
    const place = opening.adopt(await mkdtemp(join(tmpdir(), 'aorta-bigquery-')), (one) =>
      rm(one, { recursive: true, force: true }),
    );
    await writeFile(join(place, SHARED), '', { mode: 0o600 });
    // A daemon of another machine would make an empty folder, and every load would fail.
    const look = `[ -r '${join(place, SHARED)}' ] || { echo 'no folder is shared with the machine of the daemon'; exit 1; }`;
    const words = emulatorWords({ host: '0.0.0.0', rest: REST, grpc: GRPC, project });
    const started = await startContainer(
      container
        .withEntrypoint(['/bin/sh', '-c', `${look}\nexec python ${START} ${words.join(' ')}`])
        .withEnvironment(emulatorSettings)
        .withBindMounts([{ source: place, target: place, mode: 'ro' }])
        .withExposedPorts(REST),
    );
    const address = `http://${started.host}:${started.port(REST)}`;
    const emulator = opening.adopt(new ContainerEmulator(started.container, address, place), (one) => one.stop());
    const problem = await serving(address, project, async () => (await started.container.inspect()).State.Running);
    if (problem !== undefined) {
      const said = await printedBy(started.container);
      throw new ServerProblem(`The local BigQuery in a container ${problem}`, `It said: ${reason(said)}.`);
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
