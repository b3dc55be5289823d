import type { ChildProcess } from 'node:child_process';
import { freePorts } from '../../../infra/machine/ports.ts';
import { askJson, type Json } from '../../reference-service/control.ts';
import { startProcess } from '../../reference-service/process.ts';
import { isAlive, killed } from './killed.ts';

/** `aorta service` with its state in a folder, and a clock that moves only when the test says so. All its processes have the same ports. */
export class ServiceProcess {
  readonly url: string;
  readonly control: string;
  readonly #folder: string;
  readonly #seed: number;
  #child: ChildProcess | undefined;

  private constructor(folder: string, seed: number, [port, controlPort]: readonly number[]) {
    this.#folder = folder;
    this.#seed = seed;
    this.url = `http://127.0.0.1:${port}`;
    this.control = `http://127.0.0.1:${controlPort}`;
  }

  static async create(folder: string, seed: number): Promise<ServiceProcess> {
    return new ServiceProcess(folder, seed, await freePorts(2));
  }

  async start(): Promise<void> {
    const ports = ['--port', new URL(this.url).port, '--control-port', new URL(this.control).port];
    const words = ['--folder', 'service', ...ports, '--seed', String(this.#seed), '--stopped'];
    this.#child = (await startProcess(this.#folder, words)).child;
  }

  async kill(): Promise<void> {
    await killed('aorta service', this.#child!);
  }

  /** Ends the process, if there is one. */
  async stop(): Promise<void> {
    if (this.#child !== undefined && isAlive(this.#child)) await this.kill();
  }

  /** Calls the control port. */
  steer(path: string, body?: object): Promise<Json> {
    return askJson(`${this.control}${path}`, { body });
  }

  /** Virtual time, in milliseconds since 1970. */
  async now(): Promise<number> {
    return Date.parse(String((await this.steer('/clock')).now));
  }

  /** Moves the clock to a later time, and does everything that happens until then. Rejects if the service is killed meanwhile. */
  async advanceTo(time: number): Promise<void> {
    const left = time - (await this.now());
    if (left > 0) await this.steer('/clock/advance', { seconds: left / 1000 });
  }
}
