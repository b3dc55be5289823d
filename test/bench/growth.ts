import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { duckDbOptions, openDuckDbWarehouse } from '@aorta/warehouse';
import { SAMPLES } from './events.ts';
import { recordOf } from './landing.ts';
import { type Figure, figure, median } from './measure.ts';

const EVENTS = 5000;

/**
 * Whether merging stays flat while the table grows tenfold: one event in ten is backfilled somewhere in the year before.
 * Recent dates merge batch by batch, old ones gather; both are printed, in microseconds per merged event.
 */
export async function growth(millions: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-bench-'));
  // Old dates gather less than by default, so that there are enough of their merges for a median.
  const settings = duckDbOptions.parse({ type: 'duckdb', path: join(folder, 'warehouse.duckdb'), old_rows: 100_000 });
  const warehouse = await openDuckDbWarehouse(settings);
  const batches = Math.round((millions * 1e6) / (EVENTS * SAMPLES));
  const recent: { rows: number; cost: number }[] = [];
  const old: { rows: number; cost: number }[] = [];
  let rows = 0;
  try {
    for (let batch = 0; batch < batches; batch++) {
      const from = batch * EVENTS;
      // A prime step spreads the backfilled events over the days of the year.
      const records = Array.from({ length: EVENTS }, (_, index) =>
        recordOf(from + index, index % 10 === 0 ? 10 + (((from + index) * 7919) % 355) : 0),
      );
      await warehouse.land({ stream: 'timeseries', incarnation: 'bench', from, to: from + EVENTS, records });
      const { targets } = await warehouse.merge('due');
      for (const target of targets.filter(({ table }) => table === 'timeseries')) {
        const list = target.range === 'recent' ? recent : old;
        list.push({ rows, cost: (target.milliseconds * 1000 * SAMPLES) / target.rows });
      }
      rows = (await warehouse.rows()).timeseries!;
    }
  } finally {
    await warehouse.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const between = (list: typeof recent, low: number, high: number): number[] =>
    list.filter((entry) => entry.rows >= low * rows && entry.rows < high * rows).map(({ cost }) => cost);
  const figures = (name: string, list: typeof recent): Figure[] => {
    const early = between(list, 0.1, 0.35);
    const late = between(list, 0.75, 1);
    return [
      figure(`merge of ${name} dates, table at 10–35 % of its size`, 'µs/event', early),
      figure(`merge of ${name} dates, table at 75–100 % of its size`, 'µs/event', late),
      figure(`growth of the cost of ${name} dates`, '×', [median(late) / median(early)], {
        target: '≤ 1.5',
        met: (ratio) => ratio <= 1.5,
      }),
    ];
  };
  return [figure('rows of the table at the end', 'rows', [rows]), ...figures('recent', recent), ...figures('old', old)];
}
