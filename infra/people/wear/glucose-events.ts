import type { ProviderConnection } from '../connection.ts';
import { glucoseSamples, scanAt, scans, slotAfter } from '../glucose.ts';
import { syncTimes } from '../ingestion.ts';
import { defaultRates } from '../options.ts';
import { randomOf, stream } from '../random.ts';
import { type DiscreteSample, timeseriesData, withCorrections } from '../timeseries.ts';
import { beginning, type LiveVisit } from './live-visit.ts';
import { covers, type EventContents, newestFirst, type Pull, pulledDays } from './pull.ts';

/** The slots that the provider recalibrates together. */
const blockSlots = 16;

function isCorrected(connection: ProviderConnection, block: number): boolean {
  return randomOf(connection.seed, stream.glucose, block, 2).chance(defaultRates.sampleUpdate);
}

/** Returns the first slot whose reading is not before an instant (ms). */
function slotFrom(connection: ProviderConnection, instant: number): number {
  return slotAfter(connection, instant - 1);
}

/** Returns the readings of the slots from `first` up to, but not including, `last`, with their final values. */
function finalSamples(connection: ProviderConnection, first: number, last: number): DiscreteSample[] {
  const corrected: DiscreteSample[] = [];
  for (let block = Math.floor(first / blockSlots); block * blockSlots < last; block++) {
    const [from, until] = [Math.max(first, block * blockSlots), Math.min(last, (block + 1) * blockSlots)];
    if (isCorrected(connection, block)) corrected.push(...glucoseSamples(connection, from, until, true));
  }
  return withCorrections(glucoseSamples(connection, first, last), corrected);
}

/** Adds the readings since the previous visit, the corrections of completed blocks, and often a manual scan. */
export function liveGlucose({ ingestion, since }: LiveVisit): void {
  const { connection, instant } = ingestion;
  const [automatic, manual] = connection.provider.sourceTypes;
  const send = (verb: string, sourceType: string, samples: () => DiscreteSample[]) => {
    if (samples().length > 0)
      ingestion.add(`daily.data.glucose.${verb}`, () => timeseriesData(connection, sourceType, samples()));
  };
  const end = slotFrom(connection, instant);
  const start = slotFrom(connection, since);
  for (let first = start; first < end; first += connection.samplesPerEvent) {
    const last = Math.min(end, first + connection.samplesPerEvent);
    send('created', automatic, () => glucoseSamples(connection, first, last));
  }
  for (let block = Math.floor(start / blockSlots); (block + 1) * blockSlots <= end; block++) {
    const first = Math.max(block * blockSlots, slotFrom(connection, beginning(connection)));
    const last = (block + 1) * blockSlots;
    if (isCorrected(connection, block)) send('updated', automatic, () => glucoseSamples(connection, first, last, true));
  }
  if (manual !== undefined && scans(connection, instant)) send('created', manual, () => [scanAt(connection, instant)]);
}

/** Returns the scans at the visits that a connection would have had. */
function pastScans(pull: Pull): EventContents[] {
  const { connection } = pull;
  const [, manual] = connection.provider.sourceTypes;
  if (manual === undefined) return [];
  const visits = pulledDays(pull)
    .flatMap((day) => syncTimes(connection, day))
    .filter((instant) => covers(pull, instant) && scans(connection, instant))
    .sort((a, b) => a - b);
  return newestFirst(visits, connection.samplesPerEvent).map((group) => ({
    data: () =>
      timeseriesData(
        connection,
        manual,
        group.map((instant) => scanAt(connection, instant)),
      ),
  }));
}

/** Returns the glucose readings of a pull. */
export function pastGlucose(pull: Pull): EventContents[] {
  const { connection } = pull;
  const oldest = slotFrom(connection, pull.from);
  const events: EventContents[] = [];
  for (let last = slotFrom(connection, pull.until); last > oldest; last -= connection.samplesPerEvent) {
    const [first, end] = [Math.max(oldest, last - connection.samplesPerEvent), last];
    const samples = () => finalSamples(connection, first, end);
    if (samples().length === 0) continue;
    events.push({ data: () => timeseriesData(connection, connection.provider.sourceTypes[0], samples()) });
  }
  return [...events, ...pastScans(pull)];
}
