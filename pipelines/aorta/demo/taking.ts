import { rmSync } from 'node:fs';
import { builtIn } from '@aorta/connectors/registry';
import type { Tally } from '@aorta/ingestion';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import type { DataLocation } from '../configuration/data-location.ts';
import { configurationSchema } from '../configuration/schema.ts';
import { runPipeline } from '../pipeline.ts';
import { type LoadReport, reportOf } from '../report.ts';
import { configuredSources } from '../sources.ts';
import { endingAt } from './ending.ts';
import { demoHubs } from './hubs.ts';

export interface TakingOptions {
  readonly place: DataLocation;
  /** Connection string of the namespace. */
  readonly connection: string;
  /** Folder of the checkpoints. Checkpoints of an earlier demonstration are deleted. */
  readonly checkpoints: string;
  /** Resolves with the number of events in the hubs when everything is published. */
  readonly held: Promise<number>;
  /** Name under which this process claims partitions. */
  readonly worker: string;
  readonly signal: AbortSignal;
  readonly onProgress: (tally: Tally) => void;
}

/**
 * Loads all events of the hubs into the tables, as `aorta run` does, including events that arrive during the load. Starts
 * at the first event. Events that an earlier demonstration loaded keep their offsets, so reloading them changes nothing.
 */
export async function takeFromHubs(options: TakingOptions): Promise<{ ended: 'done' | 'stopped'; report: LoadReport }> {
  const { place, connection, checkpoints: folder, held, worker, signal, onProgress } = options;
  rmSync(folder, { recursive: true, force: true });
  const hubs = demoHubs.map(({ name }) => name);
  const source = { type: 'event-hubs', connection, hubs, checkpoints: { type: 'file', folder } };
  const configuration = configurationSchema.parse({ sources: [source] });
  const setting = { file: undefined, configuration, place, registry: builtIn };
  // Warnings about transient errors are not printed, and errors that end the run are thrown.
  const logger = silentLogger;
  const progress = new Progress();
  const around = { once: false, worker, logger, metrics: silentMetrics, progress };
  const { ended, tally, tables } = await runPipeline({
    setting,
    sources: () =>
      configuredSources(setting, around).all.map(({ open, againAfterMs }) => ({
        open: async () => endingAt(await open(), held),
        againAfterMs,
      })),
    signal,
    logger,
    progress,
    onProgress,
  });
  return { ended, report: reportOf(tally, tables ?? {}) };
}
