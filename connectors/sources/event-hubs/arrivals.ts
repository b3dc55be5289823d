import type { Logger } from '@aorta/runtime';
import type { ReceivedEventData } from '@azure/event-hubs';
import type { Handed } from '../hand-over.ts';
import { AcceptedEvents, type ReadingPlan } from '../reading-plan.ts';
import type { PartitionOfHub } from './claims.ts';
import { bodySize } from './delivery-of-event.ts';

/** Consecutive events of one partition. */
export interface EventsOfPartition {
  readonly events: readonly ReceivedEventData[];
  /** Whether the events precede the position at which reading resumed. Such events only fill the redelivery window. */
  readonly before: boolean;
}

export interface ArrivalsOptions {
  readonly partition: PartitionOfHub;
  readonly logger: Logger;
  readonly onIncident: (incident: 'repeated' | 'missing', count: number) => void;
  /** Called when the redelivery window has been reread, with the amount that was read and the time that it took. */
  readonly onWindowRead: (events: number, bytes: number, milliseconds: number) => void;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

interface Sorted {
  /** Parts of limited size. Events that only fill the redelivery window come before the events to be emitted. */
  readonly parts: readonly Part[];
  /** The last event to be emitted; undefined if there is none. */
  readonly last: ReceivedEventData | undefined;
}

type Part = Omit<Handed<unknown, EventsOfPartition>, 'owner'>;

interface WindowReading {
  readonly since: number;
  events: number;
  bytes: number;
}

/** Approximate size of the bodies in one part, in bytes. A whole batch of the largest possible events would take half a gigabyte. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Sorts the events that arrive on the AMQP links of one claimed partition, so that each event is accepted once and in order. */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #reading: AcceptedEvents;
  #windowReading: WindowReading | undefined;

  constructor(plan: ReadingPlan, options: ArrivalsOptions) {
    this.#options = options;
    this.#reading = new AcceptedEvents(plan);
    if (plan.from < plan.position) this.#windowReading = { since: options.clock(), events: 0, bytes: 0 };
  }

  /** The next expected sequence number. */
  get next(): number {
    return this.#reading.next;
  }

  /** Returns `restoring` while the source rereads the redelivery window. */
  get state(): 'restoring' | 'reading' {
    return this.#reading.rereading ? 'restoring' : 'reading';
  }

  /** Sorts a batch from a link. Returns `doubt` if sequence numbers are missing. The caller then reopens the link before it accepts the gap. */
  sort(events: readonly ReceivedEventData[]): Sorted | 'doubt' {
    const { onIncident, logger, partition } = this.#options;
    const reading = this.#reading;
    const arrival = reading.arrive(events.map(({ sequenceNumber }) => sequenceNumber));
    const names = { hub: partition.hub, partition: partition.partitionId };
    if (arrival.kind === 'doubt') {
      logger.warn('sequence numbers are missing, so the partition is reopened', names);
      return 'doubt';
    }
    const { repeated, missing } = arrival;
    if (repeated > 0) onIncident('repeated', repeated);
    if (missing > 0) {
      onIncident('missing', missing);
      logger.warn('the hub skipped sequence numbers', { ...names, events: missing, before: reading.next });
    }
    const before = arrival.before.map((index) => events[index]!);
    const after = arrival.after.map((index) => events[index]!);
    this.#noteWindow(before);
    return { parts: [...partsOf(before, true), ...partsOf(after, false)], last: after.at(-1) };
  }

  #noteWindow(events: readonly ReceivedEventData[]): void {
    const window = this.#windowReading;
    if (window === undefined) return;
    window.events += events.length;
    for (const event of events) window.bytes += bodySize(event);
    if (this.#reading.rereading) return;
    this.#windowReading = undefined;
    this.#options.onWindowRead(window.events, window.bytes, this.#options.clock() - window.since);
  }
}

/** Splits events into parts of about {@link CHUNK_BYTES}. */
function partsOf(events: readonly ReceivedEventData[], before: boolean): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let bytes = 0;
  for (const [at, event] of events.entries()) {
    bytes += bodySize(event);
    if (bytes < CHUNK_BYTES && at < events.length - 1) continue;
    parts.push({ thing: { events: events.slice(from, at + 1), before }, bytes });
    from = at + 1;
    bytes = 0;
  }
  return parts;
}
