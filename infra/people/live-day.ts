import { ingestActivity } from './activity.ts';
import { bloodPressureVisits } from './blood-pressure.ts';
import { isConnected, type Member, type ProviderConnection } from './connection.ts';
import { dayRhythm } from './day-rhythm.ts';
import { ingestGlucose } from './glucose.ts';
import { ingestHeartRate } from './heart-rate.ts';
import { beginPeriod } from './history.ts';
import { Ingestion, type PlannedEvent } from './ingestion.ts';
import { breakOff } from './life-cycle.ts';
import type { Rates, Settings } from './options.ts';
import { ingestSleep } from './sleep.ts';
import { ingestSteps } from './steps.ts';
import { syncTimes } from './sync.ts';

/** Returns the visits of a day. The times of the two previous visits determine what a visit sends. */
function visits(connection: ProviderConnection, day: number, rates: Rates): Ingestion[] {
  const { resources } = connection.provider;
  const yesterday = syncTimes(connection, day - 1);
  const today = syncTimes(connection, day);
  const past = [...yesterday.slice(-2), ...today];
  const known = past.length - today.length;
  const list: Ingestion[] = [];
  for (const [number, instant] of today.entries()) {
    const period = connection.periods.find(({ from, until }) => instant > from && instant < until);
    if (period === undefined) continue;
    const previous = past[known + number - 1] ?? period.from;
    const before = past[known + number - 2] ?? previous;
    const visit = new Ingestion(connection, instant);
    const since = Math.max(previous, period.from);
    if (resources.includes('heartrate')) ingestHeartRate(visit, since, rates.sampleUpdate);
    if (resources.includes('steps')) ingestSteps(visit, since, rates.bucketUpdate, previous < period.from);
    if (resources.includes('glucose')) ingestGlucose(visit, since, rates.sampleUpdate);
    if (resources.includes('sleep')) ingestSleep(visit, day, { since: previous, before }, rates.summaryUpdate / 10);
    if (resources.includes('activity')) ingestActivity(visit, day, number === 0, rates.summaryUpdate);
    list.push(visit);
  }
  return list;
}

function ofConnection(connection: ProviderConnection, day: number, rates: Rates): PlannedEvent[] {
  const { start, end } = dayRhythm(connection.person, day);
  const today = (instant: number) => instant >= start && instant < end;
  const list: Ingestion[] = [];
  for (const period of connection.periods) {
    if (today(period.from)) list.push(beginPeriod(connection, period));
    if (today(period.until)) list.push(breakOff(connection, period));
  }
  if (connection.provider.resources.includes('blood_pressure')) {
    const measured = bloodPressureVisits(connection, day, rates.sampleUpdate);
    list.push(...measured.filter(({ instant }) => isConnected(connection, instant)));
  } else list.push(...visits(connection, day, rates));
  return list.flatMap(({ events }) => events);
}

/**
 * Returns all events of a person's local day with the times at which they arrive if no mishap occurs. No event arrives
 * before the day begins.
 */
export function dayOf(member: Member, day: number, settings: Settings): PlannedEvent[] {
  return member.connections.flatMap((connection) => ofConnection(connection, day, settings.rates));
}
