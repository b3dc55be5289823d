import {
  countingLogger,
  type Logger,
  type Metrics,
  openHealthServer,
  Progress,
  silentMetrics,
  watchProgress,
} from '@aorta/runtime';
import type { PrometheusMetrics } from '@aorta/runtime/prometheus';
import { errorCatalogueOf, metricCatalogueOf } from './catalogues.ts';
import type { Setting } from './configuration/configuration.ts';
import type { ProgramMetrics } from './metrics.ts';
import { version } from './version.ts';

/** How a run is looked at from outside. */
export interface Observation {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  close(): Promise<void>;
}

/**
 * Begins to answer at the configured port, before anything else of the run stands: a process that is starting says so.
 * Without one nothing is measured. `restarts`: crashes of earlier working processes. Rejects with AORTA-HEALTH-PORT.
 */
export async function observe({ configuration, registry }: Setting, logger: Logger, restarts: number): Promise<Observation> {
  const { health } = configuration;
  if (health === undefined) return { logger, metrics: silentMetrics, progress: new Progress(), close: async () => {} };
  // Half of what starting any verb would load, for what only a watched run uses.
  const { createMetrics } = await import('@aorta/runtime/prometheus');
  const catalogue = metricCatalogueOf(registry);
  const metrics: PrometheusMetrics<ProgramMetrics> = createMetrics({ catalogue, process: true });
  const progress = new Progress({
    stalledAfterMs: health.stalled_after_s * 1000,
    onWaited: (part, reason, milliseconds) => metrics.count('aorta_wait_seconds_total', { part, reason }, milliseconds / 1000),
  });
  metrics.count('aorta_restarts_total', {}, restarts);
  metrics.watch((set) => set('aorta_build_info', { version }, 1));
  watchProgress(metrics, progress);
  const server = await openHealthServer({ host: health.host, port: health.port, progress, metrics });
  logger.info('health is served', { host: health.host, port: server.port });
  return { logger: countingLogger(logger, metrics, errorCatalogueOf(registry)), metrics, progress, close: () => server.close() };
}
