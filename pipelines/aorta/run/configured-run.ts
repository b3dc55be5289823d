import type { Tally } from '@aorta/ingestion';
import {
  type AortaError,
  countingLogger,
  type Logger,
  type Metrics,
  openHealthServer,
  Progress,
  silentMetrics,
  watchProgress,
} from '@aorta/runtime';
import type { PrometheusMetrics } from '@aorta/runtime/prometheus';
import { errorCatalogueOf, metricCatalogueOf } from '../catalogues.ts';
import { streamsPlace, warehousePlace } from '../config/adapters.ts';
import type { Setting } from '../config/configuration.ts';
import type { ProgramMetrics } from '../metrics.ts';
import { deadLetterCount, type LoadReport, reportOf } from '../report/load-report.ts';
import { version } from '../version.ts';
import { openEnrichment } from './enrichment.ts';
import { type Opening, runThroughFullDisks } from './full-disk.ts';
import { clientNames, type RunParts, reportedParts } from './parts.ts';
import { runPipeline } from './pipeline.ts';
import { configuredSources, type SourceOfRun } from './sources.ts';

export interface RunConfiguredOptions {
  /** Whether the run ends when no work is left. */
  readonly once: boolean;
  readonly parts: RunParts;
  /** Name under which this process claims partitions. */
  readonly worker: string;
  readonly supervisor: number | null;
  /** Number of crashes of earlier worker processes under the same supervisor. */
  readonly restarts: number;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Whether a full disk ends the run, even without `once`. Default: the run waits for space. */
  readonly endsIfFull?: true;
  /** Sources that the calling program adds to the configured ones. */
  readonly ownSources?: readonly (SourceOfRun & { readonly name: string })[];
  readonly onProgress?: (tally: Tally) => void;
  /** Returns the time of arrival, in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number;
}

export interface RunOutcome {
  readonly ended: 'done' | 'stopped';
  readonly tally: Tally;
  readonly report: LoadReport;
  /** The losses of records in the streams, except those whose damaged file the operator has deleted. */
  readonly losses: readonly AortaError[];
  /** Problems with single files. The other files were loaded. */
  readonly problems: readonly AortaError[];
  /** Errors from failed polls of the service. */
  readonly enrichmentProblems: readonly AortaError[];
}

/** Logger, metrics and progress of a run. The health port serves the metrics and the progress. */
interface Observation {
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
  const server = await openHealthServer({
    host: health.host,
    port: health.port,
    allowedHosts: health.allowed_hosts,
    progress,
    metrics,
  });
  logger.info('health server started', { host: health.host, port: server.port });
  return { logger: countingLogger(logger, metrics, errorCatalogueOf(registry)), metrics, progress, close: () => server.close() };
}

/** Runs the configured parts: sources, enrichment and loading. Reads only the sections of the configuration that they open. Serves health and metrics as configured. */
export async function runConfigured(setting: Setting, options: RunConfiguredOptions): Promise<RunOutcome> {
  const { once, parts, worker, supervisor, restarts, signal, endsIfFull, ownSources = [], onProgress, now } = options;
  await using opened = new AsyncDisposableStack();
  const { logger, metrics, progress, close } = await observe(setting, options.logger, restarts);
  opened.defer(close);
  const observed = { once, logger, metrics, progress, now };
  const sources = parts.ingestion
    ? configuredSources(setting, { ...observed, patient: restarts > 0, worker })
    : { all: [], problems: [], standIn: async () => ({ close: async () => {} }) };
  const names = parts.ingestion ? [...setting.configuration.sources, ...ownSources].map(({ name }) => name) : [];
  logger.info('started', {
    streams: streamsPlace(setting),
    warehouse: parts.loading ? warehousePlace(setting) : undefined,
    sources: names.length,
  });
  const reported = {
    clients: clientNames(parts.ingestion ? setting : withoutSources(setting), worker),
    sources: names,
    supervisor,
  };
  const enrichmentProblems: AortaError[] = [];
  const run: Opening = async (hooks) => {
    await using opening = new AsyncDisposableStack();
    const enrichment = parts.enrichment ? openEnrichment(setting, observed) : undefined;
    opening.defer(async () => {
      await enrichment?.close();
      enrichmentProblems.push(...(enrichment?.problems ?? []));
    });
    return await runPipeline({
      setting,
      parts,
      sources: () => (parts.ingestion ? [...sources.all, ...ownSources] : []),
      jobs: (log) => enrichment?.jobs(log) ?? [],
      worker: reported,
      untilStopped: !once,
      signal,
      logger,
      metrics,
      progress,
      ...hooks,
    });
  };
  const { ended, tally, tables, losses } =
    once || endsIfFull
      ? await run(onProgress === undefined ? {} : { onProgress })
      : await runThroughFullDisks({
          open: run,
          standIn: sources.standIn,
          worker: { ...reported, place: setting.place, parts: reportedParts(parts) },
          signal,
          logger,
          progress,
          onProgress,
        });
  const report = reportOf(tally, tables ?? {});
  logger.info('stopped', {
    received: report.received,
    redelivered: report.redelivered,
    dead_letters: deadLetterCount(report),
  });
  return { ended, tally, report, losses, problems: sources.problems, enrichmentProblems };
}

function withoutSources({ registry, configuration: { streams } }: Setting): Parameters<typeof clientNames>[0] {
  return { registry, configuration: { streams }, readable: {} };
}
