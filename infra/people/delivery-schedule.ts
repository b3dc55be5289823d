import { ArrivalQueue } from './arrival-queue.ts';
import { dayMs, hourMs, microText } from './calendar.ts';
import { type Member, memberOf } from './connection.ts';
import type { PlannedEvent } from './ingestion.ts';
import { dayOf } from './live-day.ts';
import { withMishaps } from './mishap.ts';
import { type PeopleOptions, type Settings, settle } from './options.ts';

/** An event as the service sends it. It contains no id, sequence number or time of emission. */
export interface HealthEvent {
  event_type: string;
  team_id: string;
  user_id: string;
  client_user_id: string;
  data: object;
}

export interface Delivery {
  source: string;
  partition: number;
  /** offset in the partition, from 0 */
  offset: number;
  /** RFC 3339 in UTC with microseconds. It never decreases from one delivery to the next, even across partitions */
  received_at: string;
  /** `event-type`, `user-id`, `team-id` and `idempotency-key`, as the service sends them to Event Hubs */
  headers: Record<string, string>;
  /** a `HealthEvent` */
  body: unknown;
}

/** A local day begins at most 14 hours before the same day begins in UTC. */
const earliestZone = 14 * hourMs;

/**
 * Returns the end of the recording (ms): noon UTC after the last day, when that day is over in every time zone. Later
 * events are dropped.
 */
function recordingEnd(settings: Settings): number {
  return (settings.firstDay + settings.days) * dayMs + dayMs / 2;
}

function deliver(event: PlannedEvent, settings: Settings, offsets: number[]): Delivery {
  const { person } = event.connection;
  const offset = offsets[person.partition]!;
  offsets[person.partition] = offset + 1;
  const ids = { team_id: person.teamId, user_id: person.userId, client_user_id: person.clientUserId };
  const body: HealthEvent = { event_type: event.eventType, ...ids, data: event.data() };
  return {
    source: settings.source,
    partition: person.partition,
    offset,
    received_at: microText(event.at),
    headers: {
      'event-type': event.eventType,
      'user-id': person.userId,
      'team-id': person.teamId,
      'idempotency-key': event.deliveryId,
    },
    body,
  };
}

/**
 * Yields the deliveries of synthetic people in order of `received_at`. The same options give the same deliveries on every
 * machine, in every locale and time zone. UTC offsets come from the runtime's time-zone data.
 *
 * The generator plans one day at a time, and builds a body only when it yields the delivery. So memory holds only the
 * people and the planned events of about one day, regardless of the number of days.
 */
export function* deliveries(options: PeopleOptions): Generator<Delivery, void, undefined> {
  const settings = settle(options);
  const members: Member[] = Array.from({ length: settings.people }, (_, index) => memberOf(settings, index));
  const queue = new ArrivalQueue();
  const offsets = new Array<number>(settings.partitions).fill(0);
  const end = recordingEnd(settings) * 1000;
  const lastDay = settings.firstDay + settings.days - 1;
  for (let day = settings.firstDay; day <= lastDay; day++) {
    for (const member of members) {
      for (const event of withMishaps(dayOf(member, day, settings), day, settings.rates)) if (event.at < end) queue.push(event);
    }
    const settled = day === lastDay ? end : ((day + 1) * dayMs - earliestZone) * 1000;
    for (let event = queue.shiftBefore(settled); event !== undefined; event = queue.shiftBefore(settled))
      yield deliver(event, settings, offsets);
  }
}
