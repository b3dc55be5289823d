import type { generalMetrics } from '../metrics/general.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Progress } from './progress.ts';

/** Exports waits, lanes and readiness as metrics. The returned function stops the export. */
export function watchProgress(metrics: Metrics<typeof generalMetrics>, progress: Progress): () => void {
  return metrics.watch((set) => {
    set('aorta_ready', {}, progress.stalls().length === 0 ? 1 : 0);
    const longest = new Map<string, number>();
    for (const { part, reason, forMs } of progress.waits()) {
      // If a part has two waits with the same reason at the same time, the metric shows the longer wait.
      const key = JSON.stringify([part, reason]);
      longest.set(key, Math.max(forMs, longest.get(key) ?? 0));
      set('aorta_waiting_seconds', { part, reason }, longest.get(key)! / 1000);
    }
    for (const { kind, reader, of, position, end, lag, lagMs, state } of progress.lanes()) {
      if (kind === 'partition') {
        const labels = { source: reader, partition: of };
        set('aorta_source_position', labels, position);
        set('aorta_source_end', labels, end);
        set('aorta_source_lag', labels, lag);
        if (lagMs !== undefined) set('aorta_source_lag_seconds', labels, lagMs / 1000);
        set('aorta_source_state', { ...labels, state }, 1);
      } else {
        const labels = { group: reader, stream: of };
        set('aorta_job_position', labels, position);
        set('aorta_job_lag', labels, lag);
        if (lagMs !== undefined) set('aorta_job_lag_seconds', labels, lagMs / 1000);
      }
    }
  });
}
