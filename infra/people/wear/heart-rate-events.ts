import type { ProviderConnection } from '../connection.ts';
import { chunkMs, heartRateSamples, isChunkCorrected } from '../heart-rate.ts';
import { defaultRates } from '../options.ts';
import { ingestSteps, stepSamples, stepsOfDay } from '../steps.ts';
import { type DiscreteSample, timeseriesData, withCorrections } from '../timeseries.ts';
import { beginning, type LiveVisit } from './live-visit.ts';
import { coversEnd, type EventContents, type Pull, pulledDays } from './pull.ts';

function isCorrected(connection: ProviderConnection, chunk: number): boolean {
  return isChunkCorrected(connection, chunk, defaultRates.sampleUpdate);
}

/**
 * Returns whether every chunk has samples. A gap has at most 12 slots, and few other slots have no sample. So only short
 * chunks can be empty, and long ones need not be generated twice.
 */
function areFilled({ samplesPerEvent }: ProviderConnection): boolean {
  return samplesPerEvent >= 24;
}

/** Returns the samples in [from, until). */
function within(samples: DiscreteSample[], from: number, until = Number.POSITIVE_INFINITY): DiscreteSample[] {
  return samples.filter(({ timestamp }) => Date.parse(timestamp) >= from && Date.parse(timestamp) < until);
}

/** Adds the chunks that were completed since the previous visit, and occasionally a correction of such a chunk. */
export function liveHeartRate({ ingestion, since }: LiveVisit): void {
  const { connection, instant } = ingestion;
  const length = chunkMs(connection);
  const from = beginning(connection);
  const send = (verb: string, chunk: number, corrected: boolean) => {
    const all = () => heartRateSamples(connection, chunk, 1, corrected);
    const whole = chunk * length >= from;
    const samples = whole ? all : () => within(all(), from);
    if (!(whole && !corrected && areFilled(connection)) && samples().length === 0) return;
    ingestion.add(`daily.data.heartrate.${verb}`, () =>
      timeseriesData(connection, connection.provider.sourceTypes[0], samples()),
    );
  };
  for (let chunk = Math.floor(since / length); (chunk + 1) * length <= instant; chunk++) {
    send('created', chunk, false);
    if (isCorrected(connection, chunk)) send('updated', chunk, true);
  }
}

/** Returns the heart rate of a pull, with one event for each chunk. */
export function pastHeartRate({ connection, from, until }: Pull): EventContents[] {
  const length = chunkMs(connection);
  const events: EventContents[] = [];
  for (let chunk = Math.ceil(until / length) - 1; (chunk + 1) * length > from; chunk--) {
    const whole = chunk * length >= from && (chunk + 1) * length <= until;
    const samples = () => {
      const all = heartRateSamples(connection, chunk);
      const final = isCorrected(connection, chunk) ? withCorrections(all, heartRateSamples(connection, chunk, 1, true)) : all;
      return whole ? final : within(final, from, until);
    };
    if (!(whole && areFilled(connection)) && samples().length === 0) continue;
    events.push({ data: () => timeseriesData(connection, connection.provider.sourceTypes[0], samples()) });
  }
  return events;
}

/** Adds completed buckets, some incomplete buckets, and updates of incomplete buckets. */
export function liveSteps({ ingestion, since }: LiveVisit): void {
  ingestSteps(ingestion, since, defaultRates.bucketUpdate, since === beginning(ingestion.connection));
}

/** Returns the buckets of a pull, with one event for each day and source type. */
export function pastSteps(pull: Pull): EventContents[] {
  const { connection, until } = pull;
  return pulledDays(pull).flatMap((day) =>
    connection.provider.sourceTypes.flatMap((sourceType) => {
      const buckets = () => stepsOfDay(connection, day, sourceType, until).filter(({ end }) => coversEnd(pull, end));
      if (buckets().length === 0) return [];
      return [{ data: () => timeseriesData(connection, sourceType, stepSamples(connection, buckets(), day)) }];
    }),
  );
}
