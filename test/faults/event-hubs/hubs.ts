import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventHubsControl, type EventHubsProcess, spawnEventHubs } from '@aorta/event-hubs-server';

/** Name of the hub that all cases use. */
export const HUB = 'health-events';

/** A server in a process of its own, with one hub, which may be gone for a while and come back with what it held. */
export class Hubs {
  readonly partitions: number;
  readonly #folder: string;
  #server: EventHubsProcess;

  private constructor(partitions: number, folder: string, server: EventHubsProcess) {
    this.partitions = partitions;
    this.#folder = folder;
    this.#server = server;
  }

  static async start(partitions: number): Promise<Hubs> {
    const folder = mkdtempSync(join(tmpdir(), 'aorta-hubs-'));
    return new Hubs(partitions, folder, await spawnEventHubs(optionsOf(partitions, folder)));
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
    const { port, controlPort } = this.#server;
    await this.#server.kill();
    await sleep(milliseconds);
    this.#server = await spawnEventHubs({ ...optionsOf(this.partitions, this.#folder), port, controlPort });
    return performance.now() - begun;
  }

  /** Sequence number after the last event, by partition. */
  async ends(): Promise<Map<string, number>> {
    const [hub] = (await this.faults.state()).hubs;
    return new Map(hub!.partitions.map(({ id, last }) => [`${HUB}/${id}`, last + 1]));
  }

  async remove(): Promise<void> {
    await this.#server.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function optionsOf(partitions: number, folder: string) {
  return { hubs: [{ name: HUB, partitions }], folder };
}
