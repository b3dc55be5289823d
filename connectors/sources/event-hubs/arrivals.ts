import type { Logger } from '@aorta/runtime';
import type { ReceivedEventData } from '@azure/event-hubs';
import type { Handed } from '../partitions/hand-over.ts';
import { Reading, type ReadingPlan } from '../partitions/reading.ts';
import type { PartitionOfHub } from './claims.ts';
import { bodySize } from './delivery-of-event.ts';

/** Events of one partition as they came, in order. */
export interface EventsOfPartition {
  readonly events: readonly ReceivedEventData[];
  /** They stand before the position: only the redelivery window is shown them. */
  readonly before: boolean;
}

export interface ArrivalsOptions {
  readonly partition: PartitionOfHub;
  readonly logger: Logger;
  readonly onIncident: (incident: 'repeated' | 'missing', count: number) => void;
  /** The window of the partition was read again: so many events, in so many milliseconds. */
  readonly onWindowRead: (events: number, bytes: number, milliseconds: number) => void;
  /** Milliseconds of a clock that never jumps. */
  readonly clock: () => number;
}

/** What came and was not there before. */
interface Sorted {
  /** In parts of a size to be handed over: first what only the redelivery window is shown, then the events for the streams. */
  readonly parts: readonly Part[];
  /** The last of the events for the streams; undefined if there is none. */
  readonly last: ReceivedEventData | undefined;
}

type Part = Omit<Handed<unknown, EventsOfPartition>, 'owner'>;

/** What is kept of a redelivery window's reading until it is through. */
interface WindowReading {
  readonly since: number;
  events: number;
  bytes: number;
}

/** Bytes of bodies that are handed over together: a batch of the largest events would be half a gigabyte. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** What comes of one claimed partition, over however many links: sorted in, so that each event is taken once and in order. */
export class Arrivals {
  readonly #options: ArrivalsOptions;
  readonly #reading: Reading;
  #windowReading: WindowReading | undefined;

  constructor(plan: ReadingPlan, options: ArrivalsOptions) {
    this.#options = options;
    this.#reading = new Reading(plan);
    if (plan.from < plan.position) this.#windowReading = { since: options.clock(), events: 0, bytes: 0 };
  }

  /** The sequence number that is expected next. */
  get next(): number {
    return this.#reading.next;
  }

  /** `restoring` while the redelivery window is read again. */
  get state(): 'restoring' | 'reading' {
    return this.#reading.rereading ? 'restoring' : 'reading';
  }

  /** Sorts in what a link brought. `doubt`: sequence numbers are left out, which should be looked at over another link before it is believed. */
  sort(events: readonly ReceivedEventData[]): Sorted | 'doubt' {
    const { onIncident, logger, partition } = this.#options;
    const reading = this.#reading;
    const arrival = reading.arrive(events.map(({ sequenceNumber }) => sequenceNumber));
    const names = { hub: partition.hub, partition: partition.partitionId };
    if (arrival.kind === 'doubt') {
      logger.warn('sequence numbers are missing; the partition is opened anew to see', names);
      return 'doubt';
    }
    const { repeated, missing } = arrival;
    if (repeated > 0) onIncident('repeated', repeated);
    if (missing > 0) {
      onIncident('missing', missing);
      logger.warn('the hub does not hold some sequence numbers', { ...names, events: missing, before: reading.next });
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

/** Cuts events into parts of about {@link CHUNK_BYTES}. */
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
