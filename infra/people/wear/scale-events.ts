import { minuteMs } from '../calendar.ts';
import type { ProviderConnection } from '../connection.ts';
import { Ingestion } from '../ingestion.ts';
import { randomOf, stream } from '../random.ts';
import { bodyData, type WeighIn, weighIns } from '../weigh-in.ts';
import { covers, type EventContents, type Pull, pulledDays } from './pull.ts';
import { readingEvents } from './reading-events.ts';

/** Returns the visit that a measurement causes: a scale sends its data within ten minutes. */
function visitAfter(connection: ProviderConnection, weighIn: WeighIn): Ingestion {
  const { at, weight, fat } = weighIn;
  const delay = randomOf(connection.seed, stream.weighIn, weighIn.day, 1).whole(1, 10) * minuteMs;
  const visit = new Ingestion(connection, at + delay);
  for (const [resource, value] of [
    ['weight', weight],
    ['fat', fat],
  ] as const)
    for (const { data } of readingEvents(connection, resource, [{ at, value }]))
      visit.add(`daily.data.${resource}.created`, data);
  visit.add('daily.data.body.created', () => bodyData(connection, weighIn, visit.instant));
  return visit;
}

/** Returns the visits for the measurements that `isLive` accepts by their instant (ms). */
export function scaleVisits(connection: ProviderConnection, day: number, isLive: (at: number) => boolean): Ingestion[] {
  return weighIns(connection, day)
    .filter(({ at }) => isLive(at))
    .map((weighIn) => visitAfter(connection, weighIn));
}

/** Returns the body summaries of a pull. */
export function pastBody(pull: Pull): EventContents[] {
  const { connection, until, asOf } = pull;
  return pulledDays(pull)
    .flatMap((day) => weighIns(connection, day))
    .filter(({ at }) => covers(pull, at))
    .map((weighIn) => ({ data: () => bodyData(connection, weighIn, Math.max(until, asOf)) }));
}
