import { AortaError, errorFields, type Lane, type LogFields, type Logger, within } from '@aorta/telemetry';
import type { ReceivedEventData } from '@azure/event-hubs';
import type { HandOver } from '../partitions/hand-over.ts';
import { type LogBounds, planReading, Reading, type Shown } from '../partitions/reading.ts';
import type { StartPosition } from '../partitions/start-position.ts';
import { Checkpointing } from './checkpointing.ts';
import type { Checkpoints } from './checkpoints/checkpoints.ts';
import { type PartitionOfHub, STORE_MS } from './claims.ts';
import type { Connection, Connections } from './connections.ts';
import { bodySize, partitionName } from './delivery-of-event.ts';
import { firstEventSince } from './first-event.ts';
import type { HubAccess } from './hub-access.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import { type Link, openLink } from './link.ts';
import type { LogEnds } from './log-ends.ts';
import type { Namespace } from './namespace.ts';
import { Watchdog, type WatchLimits } from './watchdog.ts';

/** Events of one partition as they came, in order. */
export interface EventsOfPartition {
  readonly events: readonly ReceivedEventData[];
  /** They stand before the position: only the redelivery window is shown them. */
  readonly before: boolean;
}

/** What happens to partitions, counted by the source. */
export type Incident = 'reopened' | 'repeated' | 'missing' | 'expired' | 'blind';

export interface PartitionSurroundings {
  readonly namespace: Namespace;
  readonly connections: Connections;
  readonly ends: LogEnds;
  readonly access: HubAccess;
  readonly store: Checkpoints;
  readonly handOver: HandOver<PartitionReader, EventsOfPartition>;
  readonly start: StartPosition;
  /** What the partition held when the process began: where `latest` is. */
  readonly atStart: LogBounds;
  /** Sequence numbers that the redelivery window reaches back. */
  readonly window: number;
  /** What of the partition this process has shown to its window. */
  readonly shown: () => Shown | undefined;
  readonly watch: WatchLimits;
  /** Milliseconds between two questions for the end of the log. */
  readonly askEveryMs: number;
  readonly lane: Lane;
  readonly logger: Logger;
  readonly onIncident: (incident: Incident, count: number) => void;
  /** The hub, or the store, says that another worker has the partition. */
  readonly onStolen: () => void;
  /** The window of the partition was read again: so many events, in so many milliseconds. */
  readonly onWindowRead: (events: number, bytes: number, milliseconds: number) => void;
  /** Milliseconds of a clock that never jumps. */
  readonly clock: () => number;
}

/** Pauses before an opening, by the number of those in vain before it, in milliseconds. */
const PAUSES = [0, 100, 250, 500, 1000] as const;
/** Milliseconds after a failed question before the next one. */
const ASK_AGAIN_MS = 1000;
/** A reader looks this often whether a hub that refused it admits it again, in milliseconds. */
const REFUSED_MS = 250;
/** Bytes of bodies that are handed over together: a batch of the largest events would be half a gigabyte. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** What is kept of a redelivery window's reading until it is through. */
interface WindowReading {
  readonly since: number;
  events: number;
  bytes: number;
}

/**
 * One claimed partition, from the claim until it is lost or given up: finds its position, opens a link there, hands over
 * what comes, in order and once, and opens the link again whenever it closes, fails or goes silent. Nothing in it throws
 * at the client, and nothing waits without a deadline.
 */
export class PartitionReader {
  readonly partition: PartitionOfHub;
  /** How the partition is called in receipts. */
  readonly name: string;
  readonly #around: PartitionSurroundings;
  readonly #epoch: number;
  readonly #checkpointing: Checkpointing;
  #reading: Reading | undefined;
  #watchdog: Watchdog | undefined;
  #windowReading: WindowReading | undefined;
  #first = 0;
  #link: Link | undefined;
  #connection: Connection | undefined;
  /** Openings in vain since something was last heard. */
  #attempts = 0;
  #pausing: NodeJS.Timeout | undefined;
  #askAt = Number.NEGATIVE_INFINITY;
  #asking = false;
  /** When the hub was last heard of by a link, or the link waited for this process; milliseconds since 1970. */
  #heardAt = Date.now();
  /** The hub refuses this source: no link is opened before it admits it again. */
  #suspended = false;
  #warned = false;
  #ended = false;
  /** Sequence number after the last one that the consumer has taken. */
  #taken: number | undefined;

  constructor(partition: PartitionOfHub, epoch: number, around: PartitionSurroundings) {
    this.partition = partition;
    this.name = partitionName(partition.hub, partition.partitionId);
    this.#epoch = epoch;
    this.#around = around;
    this.#checkpointing = new Checkpointing(around.store, around.logger, () => around.onStolen());
  }

  /** The sequence number after the last one that was taken by the consumer; undefined while the position is not known. */
  get taken(): number | undefined {
    return this.#taken;
  }

  /** Finds the position and opens the link; tries until it is lost. Never rejects: what cannot be mended fails the source. */
  async begin(): Promise<void> {
    while (!this.#ended) {
      try {
        await this.#begin();
        return;
      } catch (error) {
        if (this.#ended) return;
        this.#attempts += 1;
        this.#warn('partition not opened', { condition: conditionOf(error) });
        if (failureOf(error) === 'stolen') this.#around.onStolen();
        this.#around.access.failed(error, this.#heardAt);
        await this.#pause(this.#pauseMs());
        while (!this.#ended && this.#around.access.refused) await this.#pause(REFUSED_MS);
      }
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  }

  /** Warns once until the hub is heard of again; what an outage explains is no news. */
  #warn(event: string, fields: LogFields): void {
    const { logger, access } = this.#around;
    logger[this.#warned || access.doubtful ? 'debug' : 'warn'](event, { ...this.#names(), ...fields });
    this.#warned = true;
  }

  /** The consumer has taken everything before the sequence number `next`. */
  handedOn(next: number): void {
    this.#taken = Math.max(this.#taken ?? 0, next);
    this.#around.lane.note({ position: this.#taken });
  }

  /** Everything up to the sequence number is durable. */
  durable(sequenceNumber: number, offset: string): void {
    this.#checkpointing.durable(this.#checkpointAt(sequenceNumber, offset));
  }

  /** Writes the checkpoint, if one is due. */
  writeCheckpoint(): Promise<void> {
    return this.#checkpointing.write();
  }

  /** Asks for the end of the log, and looks whether the link is alive: called ten times a second. */
  check(): void {
    const { clock, access, lane, watch } = this.#around;
    if (this.#ended) return;
    const unheardMs = Date.now() - this.#heardAt;
    if (unheardMs >= watch.stalledMs) access.doubt(this.#heardAt);
    const watchdog = this.#watchdog;
    if (watchdog === undefined || this.#isSuspended()) return;
    const now = clock();
    if (!this.#asking && !access.refused && now >= this.#askAt) this.#askForEnd();
    if (watchdog.paused) this.#heard({ state: 'waiting' });
    const silentMs = Math.round(watchdog.silentFor(now));
    const verdict = watchdog.decide(now);
    if (verdict === 'well') return;
    // What an outage explains, another process would not mend.
    if (verdict === 'restart' && !access.doubtful) {
      const details = { ...this.#names(), seconds: Math.round(silentMs / 1000), behind: watchdog.behind };
      this.#around.handOver.fail(new AortaError('AORTA-HUB-STALLED', details));
      return;
    }
    this.#warn('partition is silent and opened anew', { silent_ms: silentMs, behind: watchdog.behind });
    lane.note({ state: 'opening' });
    this.#reopen('another connection');
  }

  /** Whether the reader waits for its hub to admit it; opens the link again as soon as it does. */
  #isSuspended(): boolean {
    if (!this.#suspended) return false;
    if (this.#around.access.refused) return true;
    this.#suspended = false;
    this.#attempts = 0;
    this.#watchdog?.opened(this.#around.clock());
    this.#open(undefined);
    return false;
  }

  /** The hub serves the link, or the link waits for this process. */
  #heard(news: Parameters<Lane['report']>[0]): void {
    this.#heardAt = Date.now();
    this.#warned = false;
    this.#around.lane.report(news);
  }

  /** Ends the reading: what was handed over and not taken is forgotten, and no checkpoint is written any more. */
  lose(): void {
    this.stop();
    this.#checkpointing.end();
  }

  /** Ends the reading; what is durable may still be written down. */
  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#pausing);
    this.#closeLink();
    this.#around.handOver.drop(this);
    this.#around.lane.end();
  }

  async #begin(): Promise<void> {
    const { namespace, ends, store, start, window, shown, handOver, logger, onIncident, lane, clock } = this.#around;
    const { hub, partitionId } = this.partition;
    // Asked twice: once to have a connection while the store answers, and once after the checkpoint is known, since of an
    // earlier end a checkpoint that a former owner is just writing would seem to be beyond.
    const connecting = ends.bounds(partitionId).catch(() => {});
    const checkpoints = await within(STORE_MS, store.listCheckpoints(namespace.host, hub, namespace.group));
    await connecting;
    const log = await ends.bounds(partitionId);
    const checkpoint = checkpoints.find((one) => one.partitionId === partitionId);
    const first = checkpoint?.first ?? (checkpoint === undefined ? await this.#firstOf(log) : 0);
    const plan = planReading({ checkpoint: checkpoint?.sequenceNumber, first, log, window, shown: shown() });
    if (this.#ended) return;
    if (plan.kind === 'beyond') {
      handOver.fail(
        new AortaError('AORTA-HUB-CHECKPOINT', {
          ...this.#names(),
          group: namespace.group,
          checkpoint: checkpoint?.sequenceNumber ?? first - 1,
          last: log.end - 1,
        }),
      );
      return;
    }
    this.#first = first;
    if (plan.expired > 0) {
      onIncident('expired', plan.expired);
      logger.warn('events expired before they were read', { ...this.#names(), events: plan.expired, from: plan.position });
    }
    if (plan.blind > 0) {
      onIncident('blind', plan.blind);
      logger.warn('the redelivery window reaches back behind the log', { ...this.#names(), events: plan.blind });
    }
    // Where a partition begins is decided once: who takes it over before its first checkpoint must not decide anew.
    if (checkpoint === undefined && start !== 'earliest') {
      await within(STORE_MS, store.updateCheckpoint(this.#checkpointAt(first - 1, START_OF_LOG)));
      if (this.#ended) return;
    }
    this.#reading = new Reading(plan);
    this.#watchdog = new Watchdog(this.#around.watch, clock(), plan.from);
    this.#taken = plan.position;
    lane.note({ position: plan.position, end: log.end, state: plan.from < plan.position ? 'restoring' : 'opening' });
    if (plan.from < plan.position) this.#windowReading = { since: clock(), events: 0, bytes: 0 };
    this.#open(undefined);
  }

  /** The sequence number with which the group begins in a partition where it has never been. */
  async #firstOf(log: LogBounds): Promise<number> {
    const { start, atStart, namespace } = this.#around;
    if (start === 'earliest') return log.begin;
    if (start === 'latest') return Math.max(log.begin, Math.min(atStart.end, log.end));
    if (log.lastAt === undefined || log.lastAt < start) return log.end;
    const { hub, partitionId } = this.partition;
    return firstEventSince(namespace.asker(hub), partitionId, this.#epoch, start);
  }

  #open(broken: Connection | undefined): void {
    const reading = this.#reading;
    if (this.#ended || reading === undefined) return;
    this.#connection = this.#around.connections.enter(broken);
    const from = { next: reading.next, epoch: this.#epoch };
    const link: Link = openLink(this.#connection.client, this.partition.partitionId, from, {
      onEvents: (events) => (this.#link === link ? this.#arrived(link, events) : undefined),
      onTrouble: (error) => {
        if (this.#link === link) this.#troubled(error);
      },
      onClosed: () => {
        if (this.#link === link) this.#reopen('same connection');
      },
    });
    this.#link = link;
  }

  #closeLink(): void {
    this.#link?.close();
    this.#link = undefined;
    if (this.#connection !== undefined) this.#around.connections.leave(this.#connection);
    this.#connection = undefined;
  }

  #reopen(on: 'same connection' | 'another connection'): void {
    if (this.#ended) return;
    const broken = on === 'another connection' ? this.#connection : undefined;
    this.#closeLink();
    clearTimeout(this.#pausing);
    if (this.#around.access.refused) {
      this.#suspended = true;
      this.#around.lane.note({ state: 'refused' });
      return;
    }
    this.#around.onIncident('reopened', 1);
    const pause = this.#pauseMs();
    this.#attempts += 1;
    this.#pausing = setTimeout(() => {
      this.#watchdog?.opened(this.#around.clock());
      this.#open(broken);
    }, pause);
  }

  #pauseMs(): number {
    return PAUSES[Math.min(this.#attempts, PAUSES.length - 1)]!;
  }

  /** Takes what a link brings: sorts it in and hands it over; the promise, if there is one, resolves when there is room for more. */
  #arrived(link: Link, events: readonly ReceivedEventData[]): Promise<void> | undefined {
    try {
      return this.#sortIn(link, events);
    } catch (error) {
      this.#around.logger.error('an event could not be handed over', { ...this.#names(), ...errorFields(error) });
      this.#around.handOver.fail(
        new AortaError('AORTA-BUG', {
          place: `partition ${this.name}`,
          problem: error instanceof Error ? error.name : typeof error,
        }),
      );
      return undefined;
    }
  }

  #sortIn(link: Link, events: readonly ReceivedEventData[]): Promise<void> | undefined {
    const { clock, onIncident, logger } = this.#around;
    const reading = this.#reading!;
    const watchdog = this.#watchdog!;
    this.#attempts = 0;
    this.#around.access.heard();
    if (events.length === 0) {
      watchdog.heard(clock(), reading.next);
      this.#heard({ state: reading.rereading ? 'restoring' : 'reading' });
      return undefined;
    }
    const arrival = reading.arrive(events.map(({ sequenceNumber }) => sequenceNumber));
    if (arrival.kind === 'doubt') {
      logger.warn('sequence numbers are missing; the partition is opened anew to see', this.#names());
      this.#reopen('same connection');
      return undefined;
    }
    const { repeated, missing } = arrival;
    if (repeated > 0) onIncident('repeated', repeated);
    if (missing > 0) {
      onIncident('missing', missing);
      logger.warn('the hub does not hold some sequence numbers', { ...this.#names(), events: missing, before: reading.next });
    }
    watchdog.heard(clock(), reading.next);
    const before = arrival.before.map((index) => events[index]!);
    const after = arrival.after.map((index) => events[index]!);
    if (before.length > 0) this.#windowRead(before);
    if (!reading.rereading) this.#windowThrough();
    this.#heard({ state: reading.rereading ? 'restoring' : 'reading', ...receiptOf(after) });
    const room = this.#handOver(before, true);
    const roomAfter = this.#handOver(after, false) ?? room;
    if (roomAfter === undefined) return undefined;
    watchdog.pause();
    return roomAfter.then(() => {
      if (this.#link === link) watchdog.resume(clock());
    });
  }

  #handOver(events: readonly ReceivedEventData[], before: boolean): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    let from = 0;
    let bytes = 0;
    for (const [at, event] of events.entries()) {
      bytes += bodySize(event);
      if (bytes < CHUNK_BYTES && at < events.length - 1) continue;
      room = this.#around.handOver.put({ owner: this, thing: { events: events.slice(from, at + 1), before }, bytes });
      from = at + 1;
      bytes = 0;
    }
    return room;
  }

  #windowRead(events: readonly ReceivedEventData[]): void {
    const reading = this.#windowReading;
    if (reading === undefined) return;
    reading.events += events.length;
    for (const event of events) reading.bytes += bodySize(event);
  }

  #windowThrough(): void {
    const reading = this.#windowReading;
    if (reading === undefined) return;
    this.#windowReading = undefined;
    this.#around.onWindowRead(reading.events, reading.bytes, this.#around.clock() - reading.since);
  }

  #troubled(error: unknown): void {
    const { logger, onStolen, access } = this.#around;
    const failure = failureOf(error);
    logger.debug('the client reports trouble', { ...this.#names(), condition: conditionOf(error) });
    access.failed(error, this.#heardAt);
    if (failure === 'stolen') {
      onStolen();
      // Of two claims with the same epoch the later link wins: the look at the claims should be quicker than the next one.
      this.#attempts = PAUSES.length - 1;
    } else if (failure === 'stale') this.#beginAgain();
  }

  /** The position is not one of the log: it was made anew under the reader, and has to be looked at again. */
  #beginAgain(): void {
    this.#closeLink();
    clearTimeout(this.#pausing);
    this.#pausing = setTimeout(() => this.begin(), this.#pauseMs());
    this.#attempts += 1;
  }

  #askForEnd(): void {
    const { ends, lane, clock, logger, access, askEveryMs } = this.#around;
    this.#asking = true;
    this.#askAt = clock() + askEveryMs;
    ends.bounds(this.partition.partitionId).then(
      ({ end }) => {
        this.#asking = false;
        if (this.#ended) return;
        this.#watchdog?.logEnds(clock(), end);
        lane.note({ end });
      },
      (error: unknown) => {
        this.#asking = false;
        // On another connection.
        this.#askAt = clock() + ASK_AGAIN_MS;
        access.failed(error, this.#heardAt);
        logger.debug('the end of the log was not told', { ...this.#names(), condition: conditionOf(error) });
      },
    );
  }

  #checkpointAt(sequenceNumber: number, offset: string) {
    const { hub, partitionId } = this.partition;
    const { host, group } = this.#around.namespace;
    const place = { fullyQualifiedNamespace: host, eventHubName: hub, consumerGroup: group, partitionId };
    return { ...place, sequenceNumber, offset, first: this.#first };
  }

  #names(): { readonly hub: string; readonly partition: string } {
    return { hub: this.partition.hub, partition: this.partition.partitionId };
  }
}

/** How the client writes the offset before the first event. */
const START_OF_LOG = '-1';

function receiptOf(events: readonly ReceivedEventData[]): { readonly receivedAt?: number } {
  const last = events.at(-1)?.enqueuedTimeUtc?.getTime();
  return last === undefined || Number.isNaN(last) ? {} : { receivedAt: last };
}
