import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventHubsControl, type EventHubsOptions, type EventHubsProcess, spawnEventHubs } from '@aorta/event-hubs-server';

/** Name of the hub in all cases. */
export const HUB = 'health-events';

/** A server with one hub, in its own process. A test can kill and restart the server, which keeps its events. */
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

  /** Names of the partitions, as they appear in receipts. */
  get names(): readonly string[] {
    return Array.from({ length: this.partitions }, (_, id) => `${HUB}/${id}`);
  }

  /** Kills the server with SIGKILL and restarts it after this many milliseconds. Returns the downtime in milliseconds. */
  async away(milliseconds: number): Promise<number> {
    const begun = performance.now();
    await this.kill();
    await sleep(milliseconds);
    await this.startAgain();
    return performance.now() - begun;
  }

  /** Kills the server with SIGKILL. */
  kill(): Promise<void> {
    return this.#server.kill();
  }

  /** Restarts the killed server on the same port, with its events. */
  async startAgain(): Promise<void> {
    const { port, controlPort } = this.#server;
    this.#server = await spawnEventHubs({ ...this.#options, port, controlPort });
  }

  /** Returns the sequence number after the last event of each partition. */
  async ends(): Promise<Map<string, number>> {
    const [hub] = (await this.faults.state()).hubs;
    return new Map(hub!.partitions.map(({ id, last }) => [`${HUB}/${id}`, last + 1]));
  }

  async remove(): Promise<void> {
    await this.#server.kill();
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}
