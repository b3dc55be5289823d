import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Delivery, Source, StreamLog, StreamPartition } from '@aorta/connectors';
import { consume, openRedeliveryWindow } from '@aorta/ingestion';
import { codecOf, type StreamName } from '@aorta/schemas';
import { gzippedDelivery, plainDelivery, SAMPLES } from './events.ts';
import { type Figure, figure, timed } from './measure.ts';

/** Returns a log that encodes records and then discards them. Used to measure the path from receipt to Avro record. */
function nullLog(): StreamLog {
  const buffer = Buffer.allocUnsafe(1 << 20);
  return {
    assigned: () => [],
    start: () => 0,
    incarnation: () => 'null',
    append: (stream, record) => void codecOf(stream).encodeInto(record, buffer, 0),
    pendingBytes: () => 0,
    flush: async () => {},
    onDurable: () => () => {},
    end: () => 0,
    read: async <S extends StreamName>({ stream }: StreamPartition<S>, from: number) => ({
      stream,
      from,
      to: from,
      records: [],
      bytes: 0,
    }),
    committed: () => undefined,
    commit: async () => {},
    groups: () => [],
    close: async () => {},
  };
}

function sourceOf(deliveries: readonly Delivery[]): Source<number> {
  return {
    name: 'hub',
    async *batches() {
      for (let from = 0; from < deliveries.length; from += 1000)
        yield { deliveries: deliveries.slice(from, from + 1000), position: from };
    },
    commit: async () => {},
  };
}

interface Turns {
  /** Microseconds per event, by round. */
  readonly floor: number[];
  readonly path: number[];
}

/** Alternately measures the path from receipt to Avro record and the minimum work that any reader must do. */
async function turns(rounds: number, deliveries: readonly Delivery[], least: (body: Buffer) => unknown): Promise<Turns> {
  const floor: number[] = [];
  const path: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const parse = await timed(() => {
      for (const { body } of deliveries) least(body);
    });
    const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
    const log = nullLog();
    const window = await openRedeliveryWindow({ log, folder, limits: { offsets: 20_000, bytes: 2 ** 28, hours: 48 } });
    const consumed = await timed(() => consume(sourceOf(deliveries), log, { window }));
    rmSync(folder, { recursive: true, force: true });
    // The first round is a warm-up.
    if (round < 0) continue;
    floor.push((parse * 1000) / deliveries.length);
    path.push((consumed * 1000) / deliveries.length);
  }
  return { floor, path };
}

function ratios(name: string, { floor, path }: Turns, most: number): Figure {
  const list = path.map((value, index) => value / floor[index]!);
  return figure(name, '×', list, { target: `≤ ${most}`, met: (ratio) => ratio <= most });
}

export async function nullSink(rounds: number): Promise<Figure[]> {
  const batches = Array.from({ length: 6_000 }, (_, index) => gzippedDelivery(index));
  const samples = await turns(rounds, batches, (body) => JSON.parse(gunzipSync(body).toString('utf8')));
  const days = Array.from({ length: 40_000 }, (_, index) => plainDelivery(index));
  const summaries = await turns(rounds, days, (body) => JSON.parse(body.toString('utf8')));
  return [
    figure('gunzip + JSON.parse, an event of 100 samples', 'µs', samples.floor),
    figure('receipt → Avro record, the same event', 'µs', samples.path),
    ratios('null-sink path against gunzip + JSON.parse', samples, 2),
    figure(
      'null-sink path',
      'samples/s',
      samples.path.map((value) => (SAMPLES * 1e6) / value),
    ),
    figure('JSON.parse, a plain summary', 'µs', summaries.floor),
    figure('receipt → Avro record, the same summary', 'µs', summaries.path),
    ratios('null-sink path of summaries against JSON.parse', summaries, 3),
    figure(
      'null-sink path of summaries',
      'summaries/s',
      summaries.path.map((value) => 1e6 / value),
    ),
  ];
}
