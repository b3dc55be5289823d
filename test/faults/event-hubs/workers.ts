import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventHubsSettings } from '../../../connectors/event-hubs/options.ts';
import { Machine } from '../stage/machine.ts';
import type { Hubs } from './hubs.ts';
import { HUB } from './hubs.ts';

const modified = join(import.meta.dirname, 'worker.process.ts');

/** The machines that share the partitions of a hub. Each has its own data folder, but they share their checkpoints. */
export class Machines {
  readonly #root = mkdtempSync(join(tmpdir(), 'aorta-machines-'));
  readonly #hubs: Hubs;
  readonly all: HubMachine[] = [];

  constructor(hubs: Hubs) {
    this.#hubs = hubs;
  }

  /** Adds a machine without starting it. */
  add(settings: Partial<EventHubsSettings> = {}): HubMachine {
    const folder = join(this.#root, `machine-${this.all.length}`);
    mkdirSync(folder);
    const source = {
      type: 'event-hubs',
      connection: this.#hubs.connectionString,
      hubs: [HUB],
      checkpoints: { type: 'file', folder: join(this.#root, 'checkpoints') },
      ...settings,
    };
    // JSON is valid YAML.
    const configuration = { sources: [source], warehouse: { type: 'duckdb', path: 'health.duckdb' }, health: { port: 0 } };
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
    const machine = new HubMachine(folder);
    this.all.push(machine);
    return machine;
  }

  /** Folder of the shared checkpoints. */
  get checkpoints(): string {
    return join(this.#root, 'checkpoints');
  }

  /** Kills all machines at once, and deletes their folders. */
  async remove(): Promise<void> {
    await Promise.all(this.all.map((machine) => machine.lose()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** A machine that can also run the modified worker of `worker.process.ts`. */
export class HubMachine extends Machine {
  /** Starts `worker.process.ts`: the same pipeline with a slow source or a faulty checkpoint store. */
  startModified(worker: string, slowMs = 0): void {
    this.run(modified, [worker, String(slowMs)]);
  }

  /** Sends a message to the modified worker, such as the new state of its checkpoint store. */
  tell(message: object): void {
    this.send(message);
  }
}
