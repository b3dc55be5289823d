import { rmSync } from 'node:fs';
import { builtIn } from '@aorta/connectors/registry';
import type { Tally } from '@aorta/ingestion';
import { Progress, silentLogger, silentMetrics } from '@aorta/runtime';
import type { Place } from '../configuration/place.ts';
import { configurationSchema } from '../configuration/schema.ts';
import { runPipeline } from '../pipeline.ts';
import { type LoadReport, reportOf } from '../report.ts';
import { configuredSources } from '../sources.ts';
import { endingAt } from './ending.ts';
import { demoHubs } from './hubs.ts';

export interface TakingOptions {
  readonly place: Place;
  /** Connection string of the namespace. */
  readonly connection: string;
  /** Where the checkpoints are. Those of an earlier demonstration go. */
  readonly checkpoints: string;
  /** Events that the hubs hold, once no more come. */
  readonly held: Promise<number>;
  /** Name of this process among those who claim partitions. */
  readonly worker: string;
  readonly signal: AbortSignal;
  readonly onProgress: (tally: Tally) => void;
}

/**
 * Takes everything that the hubs hold, and what still comes in, into the tables, as `aorta run` does. Begins with the first
 * event: one that an earlier demonstration has taken stands at the same position, so that it changes nothing.
 */
export async function takeFromHubs(options: TakingOptions): Promise<{ ended: 'done' | 'stopped'; report: LoadReport }> {
  const { place, connection, checkpoints: folder, held, worker, signal, onProgress } = options;
  rmSync(folder, { recursive: true, force: true });
  const hubs = demoHubs.map(({ name }) => name);
  const source = { type: 'event-hubs', connection, hubs, checkpoints: { type: 'file', folder } };
  const configuration = configurationSchema.parse({ sources: [source] });
  const setting = { file: undefined, configuration, place, registry: builtIn };
  // What mends itself is nothing for whom a demonstration is made; what does not is thrown.
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
