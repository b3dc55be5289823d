import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, type Guarded, startGuarded } from '@aorta/machine';
import { BigQueryProblem } from '../problem.ts';
import { emulatorPython } from './python.ts';

const READY_MS = 90_000;
const END_MS = 5000;
const LOOK_EVERY_MS = 25;
const CHOICES = 5;

export interface EmulatorOptions {
  readonly project: string;
  readonly fetching?: () => void;
}

/** The emulator behind the local server: bqemulator, in a process that ends with ours. */
export class Emulator {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  /** Files that it may read are put there; gone when it stops. */
  readonly place: string;
  readonly #running: Guarded;

  private constructor(address: string, place: string, running: Guarded) {
    this.address = address;
    this.place = place;
    this.#running = running;
  }

  /** Starts one, fetching what it needs where that was not done before. Rejects with {@link BigQueryProblem}. */
  static async start(options: EmulatorOptions): Promise<Emulator> {
    const python = await emulatorPython(options.fetching);
    for (let choice = 1; ; choice++) {
      const place = await mkdtemp(join(tmpdir(), 'aorta-bigquery-'));
      const emulator = await Emulator.#begun(python, place, options);
      const problem = await emulator.#ready(options.project);
      if (problem === undefined) return emulator;
      const said = await readFile(join(place, 'emulator.log'), 'utf8').catch(() => '');
      await emulator.stop();
      // Somebody else was quicker to use one of its ports.
      if (/address already in use/i.test(said) && choice < CHOICES) continue;
      throw new BigQueryProblem(`The local BigQuery ${problem}`, lastWords(said));
    }
  }

  static async #begun(python: string, place: string, { project }: EmulatorOptions): Promise<Emulator> {
    const [rest, grpc] = await freePorts(2);
    const words = [
      '--rest-port',
      String(rest),
      '--grpc-port',
      String(grpc),
      '--project',
      project,
      '--log-level',
      'WARNING',
      '--ephemeral',
    ];
    const settings = {
      BQEMU_ENABLE_FORMAT_EXTENSIONS: 'false',
      BQEMU_METRICS_ENABLED: 'false',
      BQEMU_SCRIPTING_MAX_STATEMENTS: '100000',
      PYTHONDONTWRITEBYTECODE: '',
    };
    const script = join(import.meta.dirname, 'start.py');
    const environment = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const running = await startGuarded('env', [...environment, python, script, 'start', ...words], {
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

  /** Resolves when it serves; with what went wrong where it does not. */
  async #ready(project: string): Promise<string | undefined> {
    const deadline = performance.now() + READY_MS;
    for (;;) {
      const answer = await fetch(`${this.address}/bigquery/v2/projects/${project}/datasets`).catch(() => undefined);
      if (answer?.ok === true && this.#running.running) return undefined;
      if (!this.#running.running) return 'ended at its start';
      if (performance.now() > deadline) return `is not ready after ${READY_MS / 1000} s`;
      await sleep(LOOK_EVERY_MS);
    }
  }
}

function lastWords(said: string): string {
  const line = said.split('\n').findLast((one) => one.trim() !== '');
  return line === undefined ? 'It said nothing.' : `Its last words: ${line.trim()}`;
}
