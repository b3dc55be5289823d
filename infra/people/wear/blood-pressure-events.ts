import { type PressureSample, pressureSamples, sittings, sittingVisits } from '../blood-pressure.ts';
import type { ProviderConnection } from '../connection.ts';
import type { Ingestion } from '../ingestion.ts';
import { defaultRates } from '../options.ts';
import { timeseriesData } from '../timeseries.ts';
import { covers, type EventContents, newestFirst, type Pull, pulledDays } from './pull.ts';

/** A sitting has at most three readings. */
const readingsPerSitting = 3;

/** Returns the visits for the sittings that `isLive` accepts by their instant (ms). The evening's sitting may follow midnight. */
export function cuffVisits(connection: ProviderConnection, day: number, isLive: (at: number) => boolean): Ingestion[] {
  return [day - 1, day]
    .flatMap((of) => sittings(connection, of))
    .filter(isLive)
    .flatMap((sitting) => sittingVisits(connection, sitting, defaultRates.sampleUpdate));
}

/** Returns the readings of a sitting. If the provider corrects the first reading, returns its corrected value. */
function finalSamples(connection: ProviderConnection, sitting: number): PressureSample[] {
  const samples = pressureSamples(connection, sitting);
  if (sittingVisits(connection, sitting, defaultRates.sampleUpdate).length === 1) return samples;
  return [...pressureSamples(connection, sitting, true), ...samples.slice(1)];
}

/** Returns the readings of a pull. The readings of a sitting stay together. */
export function pastBloodPressure(pull: Pull): EventContents[] {
  const { connection } = pull;
  const list = pulledDays(pull)
    .flatMap((day) => sittings(connection, day))
    .filter((sitting) => covers(pull, sitting))
    .sort((a, b) => a - b);
  const size = Math.max(1, Math.floor(connection.samplesPerEvent / readingsPerSitting));
  return newestFirst(list, size).map((group) => ({
    data: () =>
      timeseriesData(
        connection,
        connection.provider.sourceTypes[0],
        group.flatMap((sitting) => finalSamples(connection, sitting)),
      ),
  }));
}
