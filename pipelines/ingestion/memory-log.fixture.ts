import { partitionOf, type ReadBatch, type ReadLimit, type StreamLog, type StreamPartition } from '@aorta/connectors';
import { codecOf, type StreamName, type StreamRecords, streamNames } from '@aorta/schemas';

/** An in-memory stream log that uses the codec. Tests can delay flushes, make flushes fail, and simulate a crash of the log. */
export class MemoryLog implements StreamLog {
  readonly #durable = new Map<StreamName, Buffer[]>();
  #gathered: { readonly stream: StreamName; readonly bytes: Buffer }[] = [];
  /** Every flush awaits this function before its records become durable. */
  beforeFlush: () => Promise<void> = async () => {};
  flushes = 0;
  reads = 0;
  incarnationNumber = 1;

  assigned(): StreamPartition[] {
    return streamNames.map((name) => partitionOf(name));
  }

  /** Names of the streams that contain records. */
  streams(): StreamName[] {
    return streamNames.filter((name) => this.#durable.has(name)).sort();
  }

  start(): number {
    return 0;
  }

  incarnation({ stream }: StreamPartition): string {
    return `${stream}-${this.incarnationNumber}`;
  }

  append<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#gathered.push({ stream, bytes: codecOf(stream).encode(record) });
  }

  pendingBytes(): number {
    return this.#gathered.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  async flush(): Promise<void> {
    const gathered = this.#gathered;
    this.#gathered = [];
    this.flushes += 1;
    await this.beforeFlush();
    for (const { stream, bytes } of gathered) {
      const held = this.#durable.get(stream);
      if (held === undefined) this.#durable.set(stream, [bytes]);
      else held.push(bytes);
    }
  }

  onDurable(): () => void {
    return () => {};
  }

  /** Drops all records that are not durable. */
  crash(): void {
    this.#gathered = [];
    this.beforeFlush = async () => {};
  }

  end({ stream }: StreamPartition): number {
    return this.#durable.get(stream)?.length ?? 0;
  }

  async read<S extends StreamName>({ stream }: StreamPartition<S>, from: number, limit: ReadLimit): Promise<ReadBatch<S>> {
    this.reads += 1;
    // Returns at most seven records per read, so that tests cover repeated reads.
    const held = (this.#durable.get(stream) ?? []).slice(from, from + Math.min(limit.records, 7));
    const records = held.map((bytes) => codecOf(stream).decode(bytes));
    return { stream, from, to: from + records.length, records, bytes: held.reduce((sum, { length }) => sum + length, 0) };
  }

  /** All durable records of a stream. */
  all<S extends StreamName>(stream: S): StreamRecords[S][] {
    return (this.#durable.get(stream) ?? []).map((bytes) => codecOf(stream).decode(bytes));
  }

  committed(): undefined {}

  async commit(): Promise<void> {}

  groups(): string[] {
    return [];
  }

  async close(): Promise<void> {}
}
