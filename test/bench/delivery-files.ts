import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { activityEvent, headersOf, heartRateEvent, receivedAt, summaryHeadersOf } from './events.ts';

const PARTITIONS = 4;

/** The kind of events in the measured files. */
export type Kind = 'samples' | 'summaries';

const kinds = {
  samples: { headers: headersOf, body: (index: number) => heartRateEvent(index) },
  summaries: { headers: summaryHeadersOf, body: activityEvent },
} as const;

function* lines(kind: Kind, partition: number, events: number): Generator<string> {
  const { headers, body } = kinds[kind];
  for (let index = partition; index < events; index += PARTITIONS) {
    const delivery = {
      source: 'hub',
      partition,
      offset: Math.floor(index / PARTITIONS),
      received_at: new Date(receivedAt(index)).toISOString(),
      headers: headers(index),
      body: body(index),
    };
    yield `${JSON.stringify(delivery)}\n`;
  }
}

/** Writes gzipped delivery files, one per partition, and returns their paths. */
export async function writeFiles(folder: string, kind: Kind, events: number): Promise<string[]> {
  const files = Array.from({ length: PARTITIONS }, (_, partition) => join(folder, `${kind}-${events}-p${partition}.ndjson.gz`));
  for (const [partition, file] of files.entries())
    await pipeline(Readable.from(lines(kind, partition, events)), createGzip({ level: 6 }), createWriteStream(file));
  return files;
}
