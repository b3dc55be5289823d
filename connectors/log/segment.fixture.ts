import { createRequire } from 'node:module';
import type { StreamName } from '@aorta/schemas';
import { BLOCK_START_BYTES, writeBlockStart, writeChecksum } from './container.ts';
import { headerFor } from './salvage.ts';

type Snappy = { decompress(data: Buffer): Promise<Uint8Array> };
const kafkajsSnappy = createRequire(import.meta.url)('kafkajs-snappy') as () => Snappy;

/** Returns the content of a segment at position `first` with a single block. `records` are encoded with `schema`. */
export function segmentOf(stream: StreamName, schema: string, records: readonly Buffer[], first = 0): Buffer {
  const header = headerFor(stream, first, schema);
  const content = Buffer.concat(records);
  const block = Buffer.concat([Buffer.alloc(BLOCK_START_BYTES), content, Buffer.alloc(4), header.sync]);
  const start = writeBlockStart(block, BLOCK_START_BYTES, records.length, content.length);
  writeChecksum(block, BLOCK_START_BYTES, BLOCK_START_BYTES + content.length);
  return Buffer.concat([header.bytes, block.subarray(start)]);
}

/** Decompresses a block for the file decoder of avsc, which leaves the checksum behind the data. */
export function snappy(block: Buffer, done: (error: Error | null, records?: Buffer) => void): void {
  decompress(block.subarray(0, -4)).then(
    (records) => done(null, Buffer.from(records)),
    (error: Error) => done(error),
  );
}

/** Decompresses Snappy data with another implementation than Aorta's. */
export function decompress(data: Buffer): Promise<Uint8Array> {
  return kafkajsSnappy().decompress(data);
}
