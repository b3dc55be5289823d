import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import { makeFolder, readIfThere, replaceFile } from '@aorta/runtime';
import type { LineFilesSettings } from './adapter.ts';

/** The offset that comes next in a partition. */
interface Position {
  readonly partition: string;
  readonly next: number;
}

/** What a producer writes on a line. */
export interface Line {
  /** RFC 3339. */
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly body_base64: string;
}

const BATCH = 100;

/** Deliveries out of the files of a folder: the name of a file is its partition, the number of a line its offset. */
export class LineFilesSource implements Source<Position> {
  readonly name: string;
  readonly #folder: string;
  readonly #offsets: string;
  #next: Record<string, number> = {};

  /** `offsets` is the file with the committed offsets. */
  constructor({ name, folder }: LineFilesSettings, offsets: string) {
    this.name = name;
    this.#folder = folder;
    this.#offsets = offsets;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<Position>> {
    this.#next = JSON.parse((await readIfThere(this.#offsets))?.toString() ?? '{}');
    for (const partition of (await readdir(this.#folder)).sort()) {
      let deliveries: Delivery[] = [];
      for await (const delivery of this.#deliveries(partition, this.#next[partition] ?? 0)) {
        if (signal.aborted) return;
        deliveries.push(delivery);
        if (deliveries.length < BATCH) continue;
        yield batchOf(deliveries);
        deliveries = [];
      }
      if (deliveries.length > 0) yield batchOf(deliveries);
    }
  }

  async *#deliveries(partition: string, first: number): AsyncGenerator<Delivery> {
    let offset = -1;
    for await (const text of createInterface({ input: createReadStream(join(this.#folder, partition)) })) {
      offset += 1;
      if (offset < first) continue;
      const { received_at, headers, key, body_base64 }: Line = JSON.parse(text);
      yield {
        source: this.name,
        partition,
        offset,
        receivedAt: Date.parse(received_at) * 1000,
        headers: new Map(Object.entries(headers)),
        key: key === null ? null : Buffer.from(key),
        body: Buffer.from(body_base64, 'base64'),
        inline: false,
      };
    }
  }

  async commit(positions: readonly Position[]): Promise<void> {
    for (const { partition, next } of positions) this.#next[partition] = next;
    await makeFolder(dirname(this.#offsets));
    await replaceFile(this.#offsets, [JSON.stringify(this.#next)]);
  }
}

function batchOf(deliveries: readonly Delivery[]): DeliveryBatch<Position> {
  const { partition, offset } = deliveries.at(-1)!;
  return { deliveries, position: { partition, next: offset + 1 } };
}
