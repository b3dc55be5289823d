import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dockerAnswers, freePorts, type Guarded, ServerProblem, startGuarded } from '@aorta/machine';
import { ContainerEmulator, image } from '../docker/container-emulator.ts';
import { type EmulatorOptions, emulatorSettings, emulatorWords, type RunningEmulator, serving } from './emulator.ts';
import { emulatorPython } from './python.ts';

/**
 * Images from which no emulator could be started. They are not tried again, because another failed attempt might take minutes.
 */
const refused = new Set<string>();

const END_MS = 5000;
const CHOICES = 5;

/** The emulator behind the local server: bqemulator, in a child process that ends with this process. */
class Emulator implements RunningEmulator {
  readonly provider = 'local';
  readonly address: string;
  readonly place: string;
  readonly #running: Guarded;

  private constructor(address: string, place: string, running: Guarded) {
    this.address = address;
    this.place = place;
    this.#running = running;
  }

  /** Starts the emulator. Installs its packages first if they are missing. Rejects with {@link ServerProblem} if a step fails. */
  static async start(options: EmulatorOptions): Promise<Emulator> {
    const python = await emulatorPython(options.fetching);
    for (let choice = 1; ; choice++) {
      const place = await mkdtemp(join(tmpdir(), 'aorta-bigquery-'));
      const emulator = await Emulator.#begun(python, place, options);
      const problem = await serving(emulator.address, options.project, async () => emulator.#running.running);
      if (problem === undefined) return emulator;
      const said = await readFile(join(place, 'emulator.log'), 'utf8').catch(() => '');
      await emulator.stop();
      // Another process took one of the ports before the emulator could use it, so try other ports.
      if (/address already in use/i.test(said) && choice < CHOICES) continue;
      throw new ServerProblem(`The local BigQuery ${problem}`, lastWords(said));
    }
  }

  static async #begun(python: string, place: string, { project }: EmulatorOptions): Promise<Emulator> {
    const [rest, grpc] = await freePorts(2);
    const script = join(import.meta.dirname, 'start.py');
    // Make Python store its compiled files, even if an environment variable of this process disables that. Later starts then take
    // 2 s instead of half a minute.
    const settings = { ...emulatorSettings, PYTHONDONTWRITEBYTECODE: '' };
    const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const words = emulatorWords({ rest: rest!, grpc: grpc!, project });
    const running = await startGuarded('env', [...environment, python, script, ...words], {
      log: join(place, 'emulator.log'),
      needless: place,
    });
    return new Emulator(`http://127.0.0.1:${rest}`, place, running);
  }

  get pid(): number {
    return this.#running.pid;
  }

  async stop(): Promise<void> {
    this.#running.signal('SIGTERM');
    const late = setTimeout(() => this.#running.signal('SIGKILL'), END_MS);
    await this.#running.ended;
    clearTimeout(late);
    await rm(this.place, { recursive: true, force: true });
  }
}

function lastWords(said: string): string {
  const line = said.split('\n').findLast((one) => one.trim() !== '');
  return line === undefined ? 'It printed no message.' : `Its last message: ${line.trim()}`;
}

/**
 * Starts the emulator in a container, or with this machine's Python if Docker cannot run the container. Rejects with
 * `ServerProblem` if neither works.
 */
export async function startEmulator(options: EmulatorOptions): Promise<RunningEmulator> {
  if (!refused.has(image()) && (await dockerAnswers())) {
    try {
      return await ContainerEmulator.start(options);
    } catch {
      refused.add(image());
    }
  }
  return Emulator.start(options);
}
