import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { consume, type Delivery, openRedeliveryWindow, type Source } from '@aorta/consumers';
import { codecOf, type StreamName } from '@aorta/schemas';
import type { StreamLog } from '@aorta/streams';
import { gzippedDelivery, SAMPLES } from './events.ts';
import { type Figure, figure, timed } from './measure.ts';

/** A log that encodes and throws away: what is measured is everything from the receipt to the Avro record. */
function nullLog(): StreamLog {
  const buffer = Buffer.allocUnsafe(1 << 20);
  return {
    streams: () => [],
    incarnation: () => 'null',
    append: (stream, record) => void codecOf(stream).encodeInto(record, buffer, 0),
    pendingBytes: () => 0,
    flush: async () => {},
    end: () => 0,
    read: async <S extends StreamName>(stream: S, from: number) => ({ stream, from, to: from, records: [], bytes: 0 }),
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

/** Receipt to Avro record, against gunzip and JSON.parse of the same bytes: both in turns, in one process, one core. */
export async function nullSink(rounds: number): Promise<Figure[]> {
  const deliveries = Array.from({ length: 6000 }, (_, index) => gzippedDelivery(index));
  const floor: number[] = [];
  const path: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const parse = await timed(() => {
      for (const { body } of deliveries) JSON.parse(gunzipSync(body).toString('utf8'));
    });
    const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
    const log = nullLog();
    const window = await openRedeliveryWindow({ log, folder, limits: { offsets: 20_000, bytes: 2 ** 28, hours: 48 } });
    const consumed = await timed(() => consume(sourceOf(deliveries), log, { window }));
    rmSync(folder, { recursive: true, force: true });
    // The first round warms both up.
    if (round < 0) continue;
    floor.push((parse * 1000) / deliveries.length);
    path.push((consumed * 1000) / deliveries.length);
  }
  return [
    figure('gunzip + JSON.parse, an event of 100 samples', 'µs', floor),
    figure('receipt → Avro record, the same', 'µs', path),
    figure(
      'null-sink path against gunzip + JSON.parse',
      '×',
      path.map((value, index) => value / floor[index]!),
      { target: '≤ 2', met: (ratio) => ratio <= 2 },
    ),
    figure(
      'null-sink path',
      'samples/s',
      path.map((value) => (SAMPLES * 1e6) / value),
    ),
  ];
}
