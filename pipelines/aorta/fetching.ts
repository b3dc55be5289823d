import { join } from 'node:path';
import {
  type FetchedDelivery,
  type FetchingJob,
  openLabCatalogue,
  openLabResults,
  openSentResources,
  openUsers,
  openWorkoutStreams,
} from '@aorta/jobs';
import { openServiceClient } from '@aorta/service-client';
import type { StreamLog } from '@aorta/streams';
import type { AortaError, Logger, Metrics } from '@aorta/telemetry';
import type { Setting } from './configuration/configuration.ts';
import type { SourceOfRun } from './pipeline.ts';

export interface FetchingOptions {
  /** A run that ends when everything that is there has been taken. */
  readonly once: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Gathers why something could not be asked for. */
  readonly problems: AortaError[];
}

/** The jobs that fetch from the service, as sources beside the configured ones; none where no service is configured. */
export function fetchingSources(
  { configuration, place }: Setting,
  { once, logger, metrics, problems }: FetchingOptions,
  log: StreamLog,
): SourceOfRun[] {
  const settings = configuration.service;
  if (settings === undefined) return [];
  const client = openServiceClient(settings);
  const fileOf = (job: string): string => join(place.streams, 'service', `${job}.json`);
  const { fetch } = settings;
  const sources: SourceOfRun[] = [];

  const announced = (job: string, open: typeof openWorkoutStreams): void => {
    const options = { client, log, file: fileOf(job), once, logger, metrics };
    sources.push({ open: async () => sourceOf(await open(options)), againAfterMs: 0, behindOthers: true });
  };
  const polled = (job: string, seconds: number, open: typeof openUsers): void => {
    if (seconds === 0) return;
    const options = { client, file: fileOf(job), logger, onProblem: (error: AortaError) => void (once && problems.push(error)) };
    sources.push({ open: async () => sourceOf(await open(options)), againAfterMs: seconds * 1000 });
  };

  // Announcements are read from the streams of this very process; of topics each worker has a part.
  if (configuration.streams.type === 'local') {
    if (fetch.workout_streams) announced('workout-streams', openWorkoutStreams);
    if (fetch.lab_results) announced('lab-results', openLabResults);
  } else if (fetch.workout_streams || fetch.lab_results)
    logger.warn('workout streams and lab results are not fetched where streams are topics', {});
  polled('users', fetch.users_s, openUsers);
  polled('lab-catalogue', fetch.lab_catalogue_s, openLabCatalogue);
  polled('completeness', fetch.completeness_s, openSentResources);
  return sources;
}

type Opened = Awaited<ReturnType<SourceOfRun['open']>>;

/** To the consumer, what was fetched is a delivery as any other. */
function sourceOf(job: FetchingJob): Opened {
  return job satisfies { batches(signal: AbortSignal): AsyncIterable<{ deliveries: readonly FetchedDelivery[] }> };
}
