import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import { type Delivery, deliveries, type HealthEvent } from './delivery-schedule.ts';
import { type PeopleOptions, settle } from './options.ts';

export interface DeliveryFileOptions extends PeopleOptions {
  folder: string;
  /** default: false. The uncompressed bytes are always the same, but the compressed bytes may differ between builds of zlib */
  gzip?: boolean;
  /** called after every 1000 deliveries */
  onProgress?: (progress: DeliveryProgress) => void;
}

export interface DeliveryProgress {
  deliveries: number;
  samples: number;
  received_at: string;
}

export interface WrittenDeliveries {
  /** paths of the files, in order of partition. A partition without deliveries has no file */
  files: string[];
  deliveries: number;
  /** number of samples in timeseries events, including redeliveries */
  samples: number;
  /** number of deliveries by event type */
  events: Record<string, number>;
}

const blockCharacters = 512 * 1024;

/** One NDJSON file. The file gets its final name only when it is complete, so that no reader sees an incomplete file. */
class PartitionFile {
  readonly path: string;
  /** Whether the file has no lines yet. */
  empty = true;
  readonly #file: WriteStream;
  readonly #sink: WriteStream | Gzip;
  #lines: string[] = [];
  #characters = 0;
  #failure: Error | undefined;

  constructor(path: string, gzip: boolean) {
    this.path = path;
    this.#file = createWriteStream(`${path}.part`, { mode: 0o600 });
    this.#sink = gzip ? createGzip({ level: 3, chunkSize: 256 * 1024 }) : this.#file;
    if (this.#sink !== this.#file) this.#sink.pipe(this.#file);
    // If writing the file fails, a flush that is waiting for the compressor must fail too. A stream that has already
    // failed never drains, so `flush` checks for a failure first.
    this.#file.on('error', (error) => {
      this.#failure = error;
      this.#sink.destroy(error);
    });
    this.#sink.on('error', (error: Error) => {
      this.#failure ??= error;
    });
  }

  /** Adds a line. Returns true if the buffered block is full and the caller must flush it. */
  add(line: string): boolean {
    this.empty = false;
    this.#lines.push(line);
    this.#characters += line.length;
    return this.#characters >= blockCharacters;
  }

  async flush(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#lines.length === 0) return;
    const block = `${this.#lines.join('\n')}\n`;
    this.#lines = [];
    this.#characters = 0;
    if (!this.#sink.write(block)) await once(this.#sink, 'drain');
  }

  async close(): Promise<void> {
    await this.flush();
    this.#sink.end();
    await finished(this.#file);
    // The mode that was passed when opening the file has no effect if the file already existed.
    await chmod(`${this.path}.part`, 0o600);
    await rename(`${this.path}.part`, this.path);
  }

  abandon(): void {
    this.#sink.destroy();
    this.#file.destroy();
  }
}

/** Returns a delivery as a line of a delivery file, with its members in a fixed order. */
export function deliveryLine(delivery: Delivery): string {
  const { source, partition, offset, received_at, headers, body } = delivery;
  return JSON.stringify({ source, partition, offset, received_at, headers, body });
}

/** Returns the number of samples in a timeseries event; 0 for any other event. */
export function sampleCount(delivery: Delivery): number {
  const { data } = delivery.body as HealthEvent;
  return 'data' in data && Array.isArray(data.data) ? data.data.length : 0;
}

/**
 * Writes all deliveries to NDJSON files (mode 0600), one for each partition with deliveries. If the folder does not exist,
 * it is created with mode 0700.
 */
export async function writeDeliveryFiles(options: DeliveryFileOptions): Promise<WrittenDeliveries> {
  const { folder, gzip = false, onProgress, ...rest } = options;
  const { source, partitions } = settle(rest);
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await chmod(folder, 0o700);
  const path = (partition: number) => join(folder, `${source}-p${partition}.ndjson${gzip ? '.gz' : ''}`);
  const files = Array.from({ length: partitions }, (_, partition) => new PartitionFile(path(partition), gzip));
  const written: WrittenDeliveries = { files: [], deliveries: 0, samples: 0, events: {} };
  using writing = new DisposableStack();
  for (const file of files) writing.adopt(file, (one) => one.abandon());
  for (const delivery of deliveries(rest)) {
    const file = files[delivery.partition]!;
    if (file.add(deliveryLine(delivery))) await file.flush();
    const eventType = delivery.headers['event-type']!;
    written.events[eventType] = (written.events[eventType] ?? 0) + 1;
    written.samples += sampleCount(delivery);
    written.deliveries++;
    if (onProgress !== undefined && written.deliveries % 1000 === 0) {
      onProgress({ deliveries: written.deliveries, samples: written.samples, received_at: delivery.received_at });
    }
  }
  for (const file of files) {
    await file.close();
    if (file.empty) await rm(file.path);
    else written.files.push(file.path);
  }
  writing.move();
  return written;
}
