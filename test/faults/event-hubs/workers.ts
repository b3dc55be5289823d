import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventHubsSettings } from '../../../connectors/sources/event-hubs/options.ts';
import { Machine } from '../stage/machine.ts';
import type { Hubs } from './hubs.ts';
import { HUB } from './hubs.ts';

const odd = join(import.meta.dirname, 'worker.process.ts');

/** The machines that share the partitions of a hub: each has a data folder of its own, all have the same checkpoints. */
export class Machines {
  readonly #root = mkdtempSync(join(tmpdir(), 'aorta-machines-'));
  readonly #hubs: Hubs;
  readonly all: HubMachine[] = [];

  constructor(hubs: Hubs) {
    this.#hubs = hubs;
  }

  /** A new machine, on which nothing runs yet. */
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
    // YAML reads JSON.
    const configuration = { sources: [source], warehouse: { type: 'duckdb', path: 'health.duckdb' }, health: { port: 0 } };
    writeFileSync(join(folder, 'aorta.yaml'), JSON.stringify(configuration));
    const machine = new HubMachine(folder);
    this.all.push(machine);
    return machine;
  }

  /** Folder of the checkpoints that all have. */
  get checkpoints(): string {
    return join(this.#root, 'checkpoints');
  }

  /** Ends everything at once. */
  async remove(): Promise<void> {
    await Promise.all(this.all.map((machine) => machine.lose()));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** One that may run something odd. */
export class HubMachine extends Machine {
  /** Starts the same pipeline with a source that can be told to be slow, or to have no checkpoint store: `worker.process.ts`. */
  startOdd(worker: string, slowMs = 0): void {
    this.run(odd, [worker, String(slowMs)]);
  }

  /** Tells the process of `startOdd` how its checkpoint store is from now on. */
  tell(message: object): void {
    this.send(message);
  }
}
