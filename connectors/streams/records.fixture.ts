import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventStream, readEvent, type StreamName, type StreamRecords } from '@aorta/schemas';
import { onTestFinished } from 'vitest';
import { partitionOf, type StreamLog } from '../stream-log.ts';

/** Returns a record with the given number as its offset and a body of `bodyBytes` bytes. */
export function numbered(number: number, bodyBytes = 8): StreamRecords['unrouted'] {
  return {
    receipt: {
      source: 'hub',
      partition: '0',
      offset: number,
      received_at: 1_760_000_000_000_000 + number,
      delivery_id: number % 2 === 0 ? null : `msg_${number}`,
      header_facts: 3,
      body_bytes: bodyBytes,
      body_crc32: 4_294_967_295,
      arrived_at: null,
    },
    event_type: 'daily.data.unheard_of.created',
    team_id: null,
    user_id: 'é漢😀',
    reader: 1,
    headers: { 'content-type': Buffer.from('application/json') },
    key: null,
    body: Buffer.alloc(bodyBytes, number % 251),
  };
}

export function numbersOf(records: readonly StreamRecords['unrouted'][]): number[] {
  return records.map((record) => record.receipt.offset);
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

/** Returns all records of a stream, read in batches of at most `records` records. */
export async function readAll<S extends StreamName>(log: StreamLog, stream: S, records = 7): Promise<StreamRecords[S][]> {
  const all: StreamRecords[S][] = [];
  const of = partitionOf(stream);
  for (let at = log.start(of); at < log.end(of); ) {
    const batch = await log.read(of, at, { records, bytes: 1e9 });
    if (batch.to === at) throw new Error(`the read at ${at} did not advance`);
    all.push(...batch.records);
    at = batch.to;
  }
  return all;
}

/**
 * Creates a folder that is deleted at the end of the test. `inMemory` places the folder on a RAM disk if the system has one, for
 * tests that sync thousands of times.
 */
export async function temporaryFolder(inMemory = false): Promise<string> {
  const base = inMemory && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = await mkdtemp(join(base, 'aorta-streams-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns the paths of a stream's segments, in order. */
export async function segmentsOf(folder: string, stream: StreamName): Promise<string[]> {
  const names = await readdir(join(folder, stream));
  return names
    .filter((name) => name.endsWith('.avro'))
    .sort()
    .map((name) => join(folder, stream, name));
}

/** Returns the record that an event about a user and their provider becomes. */
export function connectedUserRecord<S extends EventStream>(stream: S, eventType: string, offset: number): StreamRecords[S] {
  const receipt = {
    source: 's',
    partition: '0',
    offset,
    received_at: 1_774_000_000_000_000,
    delivery_id: null,
    header_facts: 0,
    body_bytes: 1,
    body_crc32: 1,
    arrived_at: null,
  };
  const reading = readEvent(stream, eventType, { user_id: 'u', data: { provider: 'oura' } }, receipt);
  if (reading.kind !== 'record') throw new Error(reading.reason);
  return reading.record as StreamRecords[S];
}

/** Returns the record of a completed historical pull. */
export const completion = (offset: number): StreamRecords['historical_completions'] =>
  connectedUserRecord('historical_completions', 'historical.data.sleep.created', offset);
