import { hourMs, minuteMs } from './calendar.ts';
import type { PlannedEvent } from './ingestion.ts';
import type { Rates } from './options.ts';
import { randomOf, stream } from './random.ts';

function isSummary({ eventType }: PlannedEvent): boolean {
  return eventType.startsWith('daily.data.activity.') || eventType.startsWith('daily.data.sleep.');
}

/**
 * Returns whether the event is an update in the oldest event format, which has no `updated_at`. Only the order of receipt
 * shows how new such an update is. A late update would win against a newer version, so updates without `updated_at` are
 * never delayed. A late first version does no harm, because it loses to any update.
 */
function isUntimedUpdate(event: PlannedEvent): boolean {
  return isSummary(event) && event.connection.generation === 'old' && !event.eventType.endsWith('.created');
}

/**
 * Returns a different body for the same delivery id, with one value increased by one. `updated_at` stays the same, so
 * that only the offset shows which of the two bodies is newer.
 */
export function otherBody(data: object): object {
  const copy = structuredClone(data) as Record<string, unknown>;
  const last = Array.isArray(copy.data) ? (copy.data.at(-1) as Record<string, unknown> | undefined) : copy;
  for (const name of ['value', 'systolic', 'steps', 'hr_average']) {
    const value = last?.[name];
    if (last === undefined || typeof value !== 'number') continue;
    last[name] = Math.round((value + 1) * 10) / 10;
    return copy;
  }
  return copy;
}

/** Returns the delay of an event's arrival, in microseconds. */
function delay(event: PlannedEvent, rates: Rates, draw: () => number): number {
  const [late, failed, amount] = [draw() < rates.late, draw() < rates.failedRetry, draw()];
  const daily = event.eventType.startsWith('daily.');
  if (!daily || isUntimedUpdate(event)) return 0;
  if (failed && isSummary(event)) return Math.round((1 + 9 * amount) * hourMs) * 1000;
  return late ? Math.round((3 + 93 * amount * amount * amount) * hourMs) * 1000 : 0;
}

/**
 * Returns a day's events with faults in their delivery. Some events arrive late. Some are redelivered, mostly within half
 * an hour, at a nearby offset. A few delivery ids arrive again with a different body. The result depends only on
 * the events, the day, the rates and the seed.
 */
export function withMishaps(events: readonly PlannedEvent[], day: number, rates: Rates): PlannedEvent[] {
  const list: PlannedEvent[] = [];
  for (const [number, event] of events.entries()) {
    const random = randomOf(event.connection.seed, stream.faults, day, number);
    const arrived = { ...event, at: event.at + delay(event, rates, () => random.uniform()) };
    list.push(arrived);
    const [again, far, wait, other] = [
      random.chance(rates.redelivery),
      random.chance(0.03),
      random.uniform(),
      random.chance(rates.otherBody),
    ];
    const soon = 20_000_000 + Math.round(wait * 30 * minuteMs) * 1000;
    if (again) list.push({ ...arrived, at: arrived.at + (far ? Math.round((20 + 50 * wait) * hourMs) * 1000 : soon) });
    else if (other && event.eventType.startsWith('daily.'))
      list.push({ ...arrived, at: arrived.at + soon, data: () => otherBody(event.data()) });
  }
  return list;
}
