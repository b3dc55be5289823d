import type { Tally } from '@aorta/ingestion';
import type { AortaError, Logger } from '@aorta/runtime';
import type { Setting } from './configuration/configuration.ts';
import { streamsPlace } from './configuration/configured-streams.ts';
import { warehousePlace } from './configuration/configured-warehouse.ts';
import { openFetching } from './fetching.ts';
import { observe } from './observation.ts';
import type { RunParts } from './parts.ts';
import { runPipeline, type SourceOfRun } from './pipeline.ts';
import { deadLetterCount, type LoadReport, reportOf } from './report.ts';
import { keepSourceStatus } from './source-status.ts';
import { configuredSources } from './sources.ts';
import { clientNames } from './supervision/worker-name.ts';

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
  /** Sources that the calling program adds to the configured ones. */
  readonly ownSources?: readonly (SourceOfRun & { readonly name: string })[];
  readonly onProgress?: (tally: Tally) => void;
}

export interface RunOutcome {
  readonly ended: 'done' | 'stopped';
  readonly report: LoadReport;
  /** Problems with single files. The other files were loaded. */
  readonly problems: readonly AortaError[];
  /** Errors from failed polls of the service. */
  readonly fetchingProblems: readonly AortaError[];
}

/** Runs the configured parts: sources, enrichment and loading. Reads only the sections of the configuration that they open. Serves health and metrics as configured. */
export async function runConfigured(setting: Setting, options: RunConfiguredOptions): Promise<RunOutcome> {
  const { once, parts, worker, supervisor, restarts, signal, ownSources = [], onProgress } = options;
  await using opened = new AsyncDisposableStack();
  const { logger, metrics, progress, close } = await observe(setting, options.logger, restarts);
  opened.defer(close);
  const fetching = openFetching(setting, { once, which: parts.enrichment, logger, metrics, progress });
  const sources = parts.ingestion
    ? configuredSources(setting, { once, patient: restarts > 0, worker, logger, metrics, progress })
    : { all: [], problems: [] };
  const status = keepSourceStatus(setting, progress, logger);
  opened.defer(() => status.close());
  opened.defer(() => fetching.close());
  const names = parts.ingestion ? [...setting.configuration.sources, ...ownSources].map(({ name }) => name) : [];
  logger.info('started', {
    streams: streamsPlace(setting),
    ...(parts.loading ? { warehouse: warehousePlace(setting) } : {}),
    sources: names.length,
  });
  const { ended, tally, tables } = await runPipeline({
    setting,
    parts,
    sources: () => (parts.ingestion ? [...sources.all, ...ownSources] : []),
    workers: (log) => fetching.workers(log),
    worker: {
      clients: clientNames(parts.ingestion ? setting : withoutSources(setting), worker),
      sources: names,
      supervisor,
    },
    untilStopped: !once,
    signal,
    logger,
    metrics,
    progress,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const report = reportOf(tally, tables ?? {});
  logger.info('stopped', {
    received: report.received,
    redelivered: report.redelivered,
    dead_letters: deadLetterCount(report),
  });
  return { ended, report, problems: sources.problems, fetchingProblems: fetching.problems };
}

function withoutSources({ registry, configuration: { streams } }: Setting): Parameters<typeof clientNames>[0] {
  return { registry, configuration: { streams, sources: undefined } };
}
