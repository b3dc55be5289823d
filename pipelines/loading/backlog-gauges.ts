import type { Warehouse } from '@aorta/connectors';
import type { Metrics, SetGauge } from '@aorta/runtime';
import type { LoadingMetrics } from './metrics.ts';

/** Sets the backlog gauges whenever the metrics are read, until the returned function is called. */
export function watchBacklog(metrics: Metrics<LoadingMetrics>, warehouse: Warehouse): () => void {
  return metrics.watch((set) => {
    const { batches, records } = warehouse.backlog();
    set('aorta_warehouse_backlog_batches', {}, batches);
    set('aorta_warehouse_backlog_records', {}, records);
    setWaitingMerges(set, warehouse);
  });
}

function setWaitingMerges(set: SetGauge<LoadingMetrics>, warehouse: Warehouse): void {
  // Batches of one table may be due at different times. The gauge shows the earliest due time.
  for (const some of Map.groupBy(warehouse.waitingMerges(), ({ table, range }) => `${table}/${range}`).values()) {
    const { table, range } = some[0]!;
    const rows = some.reduce((sum, one) => sum + one.rows, 0);
    const dueAt = Math.min(...some.map((one) => one.dueAt));
    set('aorta_merge_waiting_rows', { table, range }, rows);
    set('aorta_merge_due_seconds', { table, range }, (dueAt - Date.now()) / 1000);
  }
}
