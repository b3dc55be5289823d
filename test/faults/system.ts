import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Delivery, type DeliveryBatch, privacyOptions, type Source, type WarehouseReader } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { openLocalLog } from '@aorta/connectors/log';
import { consume, openRedeliveryWindow, type Tally } from '@aorta/ingestion';
import { startLoader } from '@aorta/loading';
import type { Step } from '@aorta/runtime';
import type { TestDelivery } from '../model/delivery.ts';

/** Size of the redelivery window, in offsets. It is small, so that some redeliveries in the tests are outside the window. */
export const WINDOW = 5;

/** Thrown to simulate a crash of the process. */
class Crash extends Error {}

function received({ source, partition, offset, receivedAt, headers, body }: TestDelivery): Delivery {
  return {
    source,
    partition: String(partition),
    offset,
    receivedAt: receivedAt * 1000,
    headers: new Map(Object.entries(headers)),
    key: null,
    body: Buffer.from(JSON.stringify(body)),
    inline: true,
  };
}

/** A fetch from a partition: the consumer first rewinds by `back` offsets, and then reads `count` deliveries. */
export interface Fetch {
  readonly partition: number;
  readonly back: number;
  readonly count: number;
}

/** A simulated broker: the logs of its partitions, and the committed offsets of a consumer group. */
export class Broker {
  readonly #logs = new Map<number | string, TestDelivery[]>();
  readonly #committed = new Map<number | string, number>();

  constructor(deliveries: readonly TestDelivery[]) {
    for (const delivery of deliveries)
      this.#logs.set(delivery.partition, [...(this.#logs.get(delivery.partition) ?? []), delivery]);
  }

  /**
   * Returns a consumer that starts at the committed offsets and makes the given fetches. If `drain` is set, it then fetches all
   * remaining deliveries.
   */
  source(fetches: readonly Fetch[], drain: boolean): Source<ReadonlyMap<number | string, number>> {
    const logs = this.#logs;
    const cursors = new Map([...logs.keys()].map((partition) => [partition, this.#committed.get(partition) ?? 0]));
    const next = (partition: number | string, count: number): DeliveryBatch<ReadonlyMap<number | string, number>> => {
      const from = cursors.get(partition)!;
      const deliveries = logs.get(partition)!.slice(from, from + count);
      cursors.set(partition, from + deliveries.length);
      return { deliveries: deliveries.map(received), position: new Map([[partition, cursors.get(partition)!]]) };
    };
    return {
      name: 'hub',
      async *batches() {
        for (const { partition, back, count } of fetches) {
          const cursor = cursors.get(partition);
          if (cursor === undefined) continue;
          cursors.set(partition, Math.max(0, cursor - back));
          yield next(partition, count);
        }
        for (const partition of drain ? logs.keys() : []) {
          while (cursors.get(partition)! < logs.get(partition)!.length) yield next(partition, 7);
        }
      },
      commit: async (positions) => {
        for (const position of positions) for (const [partition, cursor] of position) this.#committed.set(partition, cursor);
      },
    };
  }
}

/** A folder in which the pipeline runs, crashes and runs again. */
export class System {
  readonly folder = mkdtempSync(join(tmpdir(), 'aorta-'));

  get #warehouse(): string {
    return join(this.folder, 'warehouse.duckdb');
  }

  /**
   * Runs the pipeline once. It crashes at the step with the number `crashAt`, counted from 0, or at the first step of the kind
   * `crashAt`. Returns the tally, or undefined after a crash.
   */
  async run(source: Source<unknown>, crashAt: number | Step = Number.POSITIVE_INFINITY): Promise<Tally | undefined> {
    let steps = 0;
    let crashed = false;
    const onStep = (step: Step): void => {
      if (!crashed && (typeof crashAt === 'string' ? step !== crashAt : steps++ < crashAt)) return;
      crashed = true;
      throw new Crash();
    };
    const closing: (() => Promise<unknown>)[] = [];
    try {
      const log = await openLocalLog({ folder: join(this.folder, 'streams'), onStep, segmentBytes: 4096, blockBytes: 512 });
      closing.push(() => log.close());
      const settings = duckDbOptions.parse({ type: 'duckdb', path: this.#warehouse, publish_every_s: 0, old_rows: 10 });
      const warehouse = await openDuckDbWarehouse({ ...settings, privacy: privacyOptions.parse({}), onStep });
      closing.push(() => warehouse.close());
      const loader = startLoader({ log, warehouse, onStep, batch: { records: 4, bytes: 1 << 20 } });
      closing.push(() => loader.stop());
      const window = await openRedeliveryWindow({
        log,
        folder: join(this.folder, 'window'),
        limits: { offsets: WINDOW, bytes: 1 << 30, hours: 1_000_000 },
      });
      const { tally } = await consume(source, log, { window, onStep, pace: { flushDeliveries: 3 }, ready: () => loader.ready() });
      await loader.finish();
      return tally;
    } catch (error) {
      // The pipeline may wrap the error of the crash, so the test checks the flag instead of the error.
      if (!crashed) throw error;
      return undefined;
    } finally {
      // After a crash, closing may fail, and its errors do not matter.
      for (const close of closing.toReversed()) await close().catch(() => {});
    }
  }

  read(): Promise<WarehouseReader> {
    return openDuckDbReader({ path: this.#warehouse });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
