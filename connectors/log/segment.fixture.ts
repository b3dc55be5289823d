import type { StreamName } from '@aorta/schemas';
import { BLOCK_START_BYTES, writeBlockStart, writeChecksum } from './container.ts';
import { headerFor } from './salvage.ts';

/** Returns the content of a segment at position 0 with a single block. `records` are encoded with `schema`. */
export function segmentOf(stream: StreamName, schema: string, records: readonly Buffer[]): Buffer {
  const header = headerFor(stream, 0, schema);
  const content = Buffer.concat(records);
  const block = Buffer.concat([Buffer.alloc(BLOCK_START_BYTES), content, Buffer.alloc(4), header.sync]);
  const start = writeBlockStart(block, BLOCK_START_BYTES, records.length, content.length);
  writeChecksum(block, BLOCK_START_BYTES, BLOCK_START_BYTES + content.length);
  return Buffer.concat([header.bytes, block.subarray(start)]);
}
