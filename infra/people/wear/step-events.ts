import { defaultRates } from '../options.ts';
import { ingestSteps, stepSamples, stepsOfDay } from '../steps.ts';
import { timeseriesData } from '../timeseries.ts';
import { beginning, type LiveVisit } from './live-visit.ts';
import { coversEnd, type EventContents, type Pull, pulledDays } from './pull.ts';

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
