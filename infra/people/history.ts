import { activityData } from './activity.ts';
import { pressureSamples, sittings } from './blood-pressure.ts';
import { hourMs } from './calendar.ts';
import { type Period, type ProviderConnection, pullStart } from './connection.ts';
import { localDays } from './day-rhythm.ts';
import { glucoseSamples, slotAfter } from './glucose.ts';
import { chunkMs, heartRateSamples } from './heart-rate.ts';
import { Ingestion } from './ingestion.ts';
import { connectedData, markerData } from './life-cycle.ts';
import type { Resource } from './provider.ts';
import { randomOf, stream } from './random.ts';
import { sleepData, sleepSessions } from './sleep.ts';
import { stepSamples, stepsOfDay } from './steps.ts';
import { pulledAt } from './summary.ts';
import { timeseriesData } from './timeseries.ts';

/** One pull of past data. The data begins at `start` (ms). */
interface Pull {
  visit: Ingestion;
  period: Period;
  start: number;
  /** whether the pull follows a break. Such a pull fetches all missed data, while the first pull is sparser */
  again: boolean;
}

/**
 * Returns the time (ms) when the n-th batch of a resource arrives. The newest data arrives first, as it does from real
 * providers.
 */
function pace(period: Period, batch: number): number {
  return period.from + 40_000 + batch * 4_300;
}

function summaries(pull: Pull, resource: 'activity' | 'sleep'): void {
  const { visit, period, start } = pull;
  const { connection } = visit;
  for (const day of localDays(connection.person, start, period.from).reverse()) {
    const at = pulledAt(connection, period.from, day);
    if (resource === 'activity') visit.add('daily.data.activity.created', () => activityData(connection, day, at), at);
    else {
      for (const session of sleepSessions(connection, day).filter(({ stop }) => stop <= period.from))
        visit.add('daily.data.sleep.created', () => sleepData(connection, session, at, false), at);
    }
  }
}

function heartRate(pull: Pull): void {
  const { visit, period, start, again } = pull;
  const { connection } = visit;
  const length = chunkMs(connection);
  // The first pull has one sample per quarter of an hour, so one event covers several chunks.
  const stride = again ? 1 : Math.max(1, Math.floor(900 / connection.heartRateSeconds));
  const together = Math.floor(connection.samplesPerEvent / Math.ceil(connection.samplesPerEvent / stride));
  let batch = 0;
  for (let last = Math.floor(period.from / length); last * length > start; last -= together) {
    const first = Math.max(last - together, Math.floor(start / length));
    const chunks = Array.from({ length: last - first }, (_, i) => first + i);
    const data = () =>
      timeseriesData(
        connection,
        connection.provider.sourceTypes[0],
        chunks.flatMap((chunk) => heartRateSamples(connection, chunk, stride)),
      );
    visit.add('daily.data.heartrate.created', data, pace(period, batch++));
  }
}

function steps(pull: Pull): void {
  const { visit, period, start } = pull;
  const { connection } = visit;
  let batch = 0;
  for (const day of localDays(connection.person, start, period.from).reverse()) {
    for (const sourceType of connection.provider.sourceTypes) {
      const list = () => stepsOfDay(connection, day, sourceType, period.from);
      if (list().length === 0) continue;
      visit.add(
        'daily.data.steps.created',
        () => timeseriesData(connection, sourceType, stepSamples(connection, list(), period.from)),
        pace(period, batch++),
      );
    }
  }
}

function glucose(pull: Pull): void {
  const { visit, period, start } = pull;
  const { connection } = visit;
  const [sourceType] = connection.provider.sourceTypes;
  const oldest = slotAfter(connection, start);
  let batch = 0;
  for (let end = slotAfter(connection, period.from); end > oldest; end -= connection.samplesPerEvent) {
    const first = Math.max(oldest, end - connection.samplesPerEvent);
    const last = end;
    if (glucoseSamples(connection, first, last).length === 0) continue;
    const data = () => timeseriesData(connection, sourceType, glucoseSamples(connection, first, last));
    visit.add('daily.data.glucose.created', data, pace(period, batch++));
  }
}

function bloodPressure(pull: Pull): void {
  const { visit, period, start } = pull;
  const { connection } = visit;
  const days = localDays(connection.person, start, period.from).reverse();
  for (let first = 0; first < days.length; first += 10) {
    const some = days
      .slice(first, first + 10)
      .flatMap((day) => sittings(connection, day).filter((at) => at > start && at <= period.from));
    if (some.length === 0) continue;
    const samples = () => some.sort((a, b) => a - b).flatMap((sitting) => pressureSamples(connection, sitting));
    const data = () => timeseriesData(connection, connection.provider.sourceTypes[0], samples());
    visit.add('daily.data.blood_pressure.created', data, pace(period, first / 10));
  }
}

const bring: Record<Resource, (pull: Pull) => void> = {
  activity: (pull) => summaries(pull, 'activity'),
  sleep: (pull) => summaries(pull, 'sleep'),
  heartrate: heartRate,
  steps,
  glucose,
  blood_pressure: bloodPressure,
};

/**
 * Returns how many days the first pull of a resource goes back. This is fewer for a dense series than for summaries or
 * readings.
 */
function reach(connection: ProviderConnection, resource: Resource): number {
  const dense = resource === 'heartrate' || resource === 'steps' || resource === 'glucose';
  return dense ? connection.provider.seriesDays : connection.provider.historyDays;
}

/**
 * Returns the events at the start of a period: `provider.connection.created`, past data as ordinary `daily.data.*` events,
 * and one completion marker per resource after that resource's data. A provider with `markerFirst` sends the marker before
 * the data, and sends no marker after a break.
 */
export function beginPeriod(connection: ProviderConnection, period: Period): Ingestion {
  const visit = new Ingestion(connection, period.from);
  const random = randomOf(connection.seed, stream.history, period.from);
  const again = connection.periods[0] !== period;
  visit.add('provider.connection.created', () => connectedData(connection), period.from);
  for (const resource of connection.provider.resources) {
    const days = reach(connection, resource);
    const mark = (at: number) =>
      visit.add(`historical.data.${resource}.created`, () => markerData(connection, period, resource, days), at);
    if (connection.provider.markerFirst && !again) mark(period.from + random.whole(2_000, 9_000));
    const before = visit.events.length;
    bring[resource]({ visit, period, start: pullStart(connection, period, days), again });
    const last = visit.events.slice(before).reduce((latest, event) => Math.max(latest, event.at / 1000), period.from + 30_000);
    const slow = random.chance(0.08) ? random.whole(2, 15) * hourMs : random.whole(2_000, 90_000);
    if (!connection.provider.markerFirst) mark(Math.ceil(last) + slow);
  }
  return visit;
}
