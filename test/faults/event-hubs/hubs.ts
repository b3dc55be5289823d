import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventHubsControl, type EventHubsOptions, type EventHubsProcess, spawnEventHubs } from '@aorta/event-hubs-server';

/** Name of the hub that all cases use. */
export const HUB = 'health-events';

/** A server in a process of its own, with one hub, which may be gone for a while and come back with what it held. */
export class Hubs {
  readonly partitions: number;
  readonly #options: EventHubsOptions & { readonly folder: string };
  #server: EventHubsProcess;

  private constructor(partitions: number, options: EventHubsOptions & { readonly folder: string }, server: EventHubsProcess) {
    this.partitions = partitions;
    this.#options = options;
    this.#server = server;
  }

  static async start(partitions: number, groups: readonly string[] = []): Promise<Hubs> {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-hubs-'));
    const options = { hubs: [{ name: HUB, partitions, groups }], folder };
    return new Hubs(partitions, options, await spawnEventHubs(options));
  }

  get connectionString(): string {
    return this.#server.connectionString;
  }

  get port(): number {
    return this.#server.port;
  }

  get faults(): EventHubsControl {
    return this.#server.faults;
  }

  /** Names of the partitions in receipts. */
  get names(): readonly string[] {
    return Array.from({ length: this.partitions }, (_, id) => `${HUB}/${id}`);
  }

  /** kill -9, and the same server again at the same port after so many milliseconds; gives for how long it was away. */
  async away(milliseconds: number): Promise<number> {
    const begun = performance.now();
    await this.kill();
    await sleep(milliseconds);
    await this.startAgain();
    return performance.now() - begun;
  }

  /** kill -9 of the server. */
  kill(): Promise<void> {
    return this.#server.kill();
  }

  /** The server that was killed, at the same port, with the events that it held. */
  async startAgain(): Promise<void> {
    const { port, controlPort } = this.#server;
    this.#server = await spawnEventHubs({ ...this.#options, port, controlPort });
  }

  /** Sequence number after the last event, by partition. */
  async ends(): Promise<Map<string, number>> {
    const [hub] = (await this.faults.state()).hubs;
    return new Map(hub!.partitions.map(({ id, last }) => [`${HUB}/${id}`, last + 1]));
  }

  async remove(): Promise<void> {
    await this.#server.kill();
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}
