import type { KafkaBatch, KafkaRecord } from '../client.ts';
import type { FetchedBatch, FetchedMessage } from './internals.ts';
import { wholeNumber } from './offsets.ts';

/** Converts a fetched batch. Returns undefined if the batch contains nothing, not even messages to skip. */
export function batchOf(fetched: FetchedBatch): KafkaBatch | undefined {
  if (fetched.rawMessages.length === 0) return undefined;
  const { topic, partition } = fetched;
  const next = wholeNumber(fetched.lastOffset(), topic, partition) + 1;
  let bytes = 0;
  const records = new Array<KafkaRecord>(fetched.messages.length);
  for (const [at, message] of fetched.messages.entries()) {
    const record = recordOf(message);
    bytes += bytesOf(record);
    records[at] = record;
  }
  return { records, next, end: wholeNumber(fetched.highWatermark, topic, partition), bytes };
}

function recordOf({ offset, timestamp, key, value, headers }: FetchedMessage): KafkaRecord {
  return { offset: Number(offset), timestamp: Number(timestamp), key, value, headers };
}

function bytesOf({ key, value, headers }: KafkaRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, content] of headers) bytes += Buffer.byteLength(name) + (content?.length ?? 0);
  return bytes;
}
