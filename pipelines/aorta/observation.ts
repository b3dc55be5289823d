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

/** Logger, metrics and progress of a run. The health port serves the metrics and the progress. */
export interface Observation {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly progress: Progress;
  close(): Promise<void>;
}

/**
 * Opens the configured health port. Called before anything else, so that the port answers while the process is starting.
 * Without a port, no metrics are kept. Rejects with AORTA-HEALTH-PORT if it cannot open the port.
 */
export async function observe(
  { configuration, registry }: Setting<'health'>,
  logger: Logger,
  restarts: number,
): Promise<Observation> {
  const { health } = configuration;
  if (health === undefined) return { logger, metrics: silentMetrics, progress: new Progress(), close: async () => {} };
  // Imported only here, because only runs with a health port use it, and it would double the code that a command loads.
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
  logger.info('health server started', { host: health.host, port: server.port });
  return { logger: countingLogger(logger, metrics, errorCatalogueOf(registry)), metrics, progress, close: () => server.close() };
}
