import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Delivery, DeliveryBatch, Source } from '@aorta/connectors';
import { errorFields, type Logger, type Metrics, makeFolder, readIfThere, replaceFile } from '@aorta/runtime';
import { z } from 'zod';
import type { LineFilesSettings } from './adapter.ts';
import { LineFilesError } from './errors.ts';
import type { LineFilesMetrics } from './metrics.ts';

/** The next offset to read in a partition. */
interface Position {
  readonly partition: string;
  readonly next: number;
}

/** A line that a producer writes. */
const line = z.object({
  received_at: z.iso.datetime({ offset: true }),
  headers: z.record(z.string(), z.string()),
  key: z.string().nullable(),
  body_base64: z.base64(),
});

export type Line = z.output<typeof line>;

/** Parses a JSON text. Returns undefined if it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface LineFilesSurroundings {
  /** Path of the file that contains the committed offsets. */
  readonly offsets: string;
  readonly logger: Logger;
  readonly metrics: Metrics<LineFilesMetrics>;
}

const BATCH = 100;

/** Reads deliveries from the files of a folder. Each file is a partition, and the index of a line is its offset. */
export class LineFilesSource implements Source<Position> {
  readonly name: string;
  readonly #folder: string;
  readonly #offsets: string;
  readonly #logger: Logger;
  readonly #metrics: Metrics<LineFilesMetrics>;
  #next: Record<string, number> = {};

  constructor({ name, folder }: LineFilesSettings, { offsets, logger, metrics }: LineFilesSurroundings) {
    this.name = name;
    this.#folder = folder;
    this.#offsets = offsets;
    this.#logger = logger;
    this.#metrics = metrics;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<Position>> {
    this.#next = JSON.parse((await readIfThere(this.#offsets))?.toString() ?? '{}');
    for (const partition of (await readdir(this.#folder)).sort()) {
      let deliveries: Delivery[] = [];
      for await (const delivery of this.#deliveries(partition, this.#next[partition] ?? 0)) {
        if (signal.aborted) return;
        deliveries.push(delivery);
        if (deliveries.length < BATCH) continue;
        yield this.#batch(partition, deliveries);
        deliveries = [];
      }
      if (deliveries.length > 0) yield this.#batch(partition, deliveries);
    }
  }

  #batch(partition: string, deliveries: readonly Delivery[]): DeliveryBatch<Position> {
    this.#metrics.count('line_files_lines_total', { source: this.name }, deliveries.length);
    return { deliveries, position: { partition, next: deliveries.at(-1)!.offset + 1 } };
  }

  async *#deliveries(partition: string, first: number): AsyncGenerator<Delivery> {
    let offset = -1;
    for await (const text of createInterface({ input: createReadStream(join(this.#folder, partition)) })) {
      offset += 1;
      if (offset < first) continue;
      if (text === '') {
        const empty = new LineFilesError('LINE-FILES-EMPTY-LINE', { partition, line: offset + 1 });
        this.#logger.warn('empty line skipped', errorFields(empty));
        continue;
      }
      const place = { source: this.name, partition, offset };
      const { success, data } = line.safeParse(jsonOf(text));
      if (!success) {
        // A bad line costs only itself: it becomes a dead letter with its original bytes. Reading it again gives the same receipt.
        const body = Buffer.from(text);
        yield { ...place, receivedAt: 0, headers: new Map(), key: null, body, inline: false, malformed: true };
        continue;
      }
      const { received_at, headers, key, body_base64 } = data;
      yield {
        ...place,
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
