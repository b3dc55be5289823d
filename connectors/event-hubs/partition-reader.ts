import { AortaError, errorFields, isAortaError, type Logger, type Metrics, type Progress, pause, within } from '@aorta/runtime';
import { type EventPosition, earliestEventPosition, type ReceivedEventData, type Subscription } from '@azure/event-hubs';
import type { HandOver } from '../sources/hand-over.ts';
import { consumerPart, startPositionOf } from '../sources/partition.ts';
import { AcceptedEvents, type ReadingPlan, type WindowRange } from '../sources/reading-plan.ts';
import { type Checkpoints, CheckpointWriter, STORE_MS } from './checkpoints/checkpoints.ts';
import { bodySize, partitionName } from './delivery-of-event.ts';
import { HubError } from './errors.ts';
import { type HubHealth, PartitionHealth } from './health.ts';
import type { Hub, HubConnection } from './hub.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import type { HubMetrics } from './metrics.ts';
import { closeQuietly, type Namespace } from './namespace.ts';
import type { EventHubsSettings } from './options.ts';
import { findPartitionStart } from './partition-start.ts';

/** Consecutive events of one partition. */
export interface EventsOfPartition {
  readonly events: readonly ReceivedEventData[];
  /** Whether the events precede the position at which reading resumed. Such events only fill the redelivery window. */
  readonly before: boolean;
}

/** The members of a source that its partition readers share. */
export interface ReaderSurroundings {
  readonly settings: EventHubsSettings;
  /** Id of the streams that contain the events once they are durable. Checkpoints contain it. */
  readonly streams: string | undefined;
  readonly namespace: Namespace;
  readonly store: Checkpoints;
  readonly handOver: HandOver<HubPartitionReader, EventsOfPartition>;
  /** Size of the redelivery window in sequence numbers. */
  readonly window: number;
  /** Returns the range of sequence numbers of a partition that this process has added to its redelivery window. */
  readonly shown: (name: string) => WindowRange | undefined;
  /** Returns the milliseconds between two requests for the end of a log. */
  readonly askEveryMs: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics<HubMetrics>;
  readonly progress: Progress;
  /** Called if the hub or the checkpoint store reports that another worker reads a partition. */
  readonly onStolen: () => void;
}

/** Maximum number of events per receive cycle. The client pauses 20 ms between cycles, so smaller batches would limit the throughput. */
const BATCH_EVENTS = 500;
/** If no event arrives for this many seconds, the client calls the handler anyway, so that a lost link is noticed soon. */
const HEARD_EVERY_S = 0.5;
/** If the client makes no call for this many milliseconds, the connection counts as lost. */
const HEARD_EVERY_MS = 1200;
/** Number of unsuccessful reopenings of a link after which the process must be restarted. */
const REOPENINGS = 2;
/** Milliseconds to wait before opening a link, by the number of failed attempts. */
const PAUSES = [0, 100, 250, 500, 1000] as const;
/** Milliseconds between two checks of a hub that refused access. */
const REFUSED_MS = 250;
/** The client's notation for the offset before the first event. */
const START_OF_LOG = '-1';
/** Approximate size of the bodies in one item of the queue, in bytes. A whole batch of the largest possible events would take half a gigabyte. */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** A subscription of the client to the partition. The hub disconnects it if another one with the same or a higher epoch opens. */
interface Link {
  readonly subscription: Subscription;
  readonly connection: HubConnection;
}

/**
 * Reads one claimed partition until the claim is lost or the source stops. It determines the position, opens a link,
 * queues each event once and in order, and reopens the link whenever it closes, fails or goes silent. It never throws
 * into the client, and every wait has a deadline.
 */
export class HubPartitionReader {
  /** Name of the partition in receipts. */
  readonly name: string;
  readonly #around: ReaderSurroundings;
  readonly #hub: Hub;
  readonly #hubHealth: HubHealth;
  readonly #partitionId: string;
  readonly #epoch: number;
  readonly #health: PartitionHealth;
  readonly #checkpoints: CheckpointWriter;
  /** Names of the partition in log entries and errors. */
  readonly #names: { readonly hub: string; readonly partition: string };
  /** Undefined while the position is unknown. */
  #accepted: AcceptedEvents | undefined;
  /** Progress of rereading the redelivery window; undefined once it is complete. */
  #windowReading: { readonly since: number; events: number; bytes: number } | undefined;
  #first = 0;
  /** The next sequence number that the consumer will take; undefined until the position is known. */
  #taken: number | undefined;
  #link: Link | undefined;
  /** Number of failed attempts since the link last worked. */
  #attempts = 0;
  #pausing: NodeJS.Timeout | undefined;
  /** Whether the link stays closed until the hub grants access. */
  #suspended = false;
  #ended = false;

  constructor(hub: Hub, hubHealth: HubHealth, partitionId: string, epoch: number, around: ReaderSurroundings) {
    const { settings, progress, logger } = around;
    this.name = partitionName(hub.name, partitionId);
    this.#around = around;
    this.#hub = hub;
    this.#hubHealth = hubHealth;
    this.#partitionId = partitionId;
    this.#epoch = epoch;
    this.#names = { hub: hub.name, partition: partitionId };
    this.#checkpoints = new CheckpointWriter(around.store, logger, around.onStolen);
    this.#health = new PartitionHealth({
      names: this.#names,
      hub: hubHealth,
      limits: { stalledMs: settings.stalled_s * 1000, heardEveryMs: HEARD_EVERY_MS, reopenings: REOPENINGS },
      bounds: () => hub.bounds(partitionId),
      askEveryMs: around.askEveryMs(),
      lane: progress.lane(
        { kind: 'partition', reader: settings.name, of: this.name },
        { part: consumerPart(settings.name), heardEveryMs: hubHealth.deadlineMs },
      ),
      logger,
    });
  }

  get taken(): number | undefined {
    return this.#taken;
  }

  /** Determines the position and opens the link. Retries until the partition is lost. Never rejects; a permanent error fails the source. */
  async begin(): Promise<void> {
    while (!this.#ended) {
      try {
        await this.#begin();
        return;
      } catch (error) {
        if (this.#ended) return;
        if (isAortaError(error) && error.code === 'AORTA-HUB-CHECKPOINT-DAMAGED') return this.#around.handOver.fail(error);
        this.#health.notOpened(error);
        if (failureOf(error) === 'stolen') this.#around.onStolen();
        this.#attempts += 1;
        await pause(this.#pauseMs(), undefined);
        while (!this.#ended && this.#hubHealth.refused) await pause(REFUSED_MS, undefined);
      }
    }
  }

  /** Records that the consumer has taken everything before `next`. */
  handedOn(next: number): void {
    this.#taken = Math.max(this.#taken ?? 0, next);
    this.#health.note({ position: this.#taken });
  }

  /** Records that all events up to and including this sequence number are durable. */
  durable(sequenceNumber: number, offset: string): void {
    this.#checkpoints.durable(this.#checkpointAt(sequenceNumber, offset));
  }

  writeCheckpoint(): Promise<void> {
    return this.#checkpoints.write();
  }

  /** Reopens the link if it is silent, or once the hub grants access again. Called ten times a second. */
  check(): void {
    if (this.#ended) return;
    if (this.#suspended) {
      if (this.#hubHealth.refused) return;
      this.#suspended = false;
      this.#attempts = 0;
      this.#open();
    }
    switch (this.#health.check()) {
      case 'restart': {
        const { silentMs, behind } = this.#health;
        const seconds = Math.round(silentMs / 1000);
        this.#around.handOver.fail(new HubError('AORTA-HUB-STALLED', { ...this.#names, seconds, behind }));
        return;
      }
      case 'reopen':
        this.#reopen('another connection');
    }
  }

  /** Stops reading because the claim is no longer valid. Discards queued events and writes no more checkpoints. */
  lose(): void {
    this.stop();
    this.#checkpoints.end();
  }

  /** Stops reading and discards queued events. The last checkpoint may still be written. */
  stop(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#close();
    this.#around.handOver.drop(this);
    this.#health.end();
  }

  async #begin(): Promise<void> {
    const { store, settings, handOver, namespace } = this.#around;
    const start = startPositionOf(settings.start_position);
    const { checkpoint, first, log, plan } = await findPartitionStart({
      ...this.#around,
      hub: this.#hub,
      partitionId: this.#partitionId,
      epoch: this.#epoch,
      start,
      shown: () => this.#around.shown(this.name),
    });
    if (this.#ended) return;
    if (plan.kind === 'beyond') {
      const [at, last] = [checkpoint?.sequenceNumber ?? first - 1, log.end - 1];
      const details = { ...this.#names, group: namespace.group, checkpoint: at, last };
      handOver.fail(new HubError('AORTA-HUB-CHECKPOINT', details));
      return;
    }
    this.#first = first;
    this.#reportLosses(plan);
    // Store the start position now. A worker that takes over before the first checkpoint must not choose a different
    // start.
    if (checkpoint === undefined && start !== 'earliest') {
      await within(STORE_MS, store.updateCheckpoint(this.#checkpointAt(first - 1, START_OF_LOG)));
      if (this.#ended) return;
    }
    const { from, position } = plan;
    this.#accepted = new AcceptedEvents(plan);
    this.#windowReading = from < position ? { since: performance.now(), events: 0, bytes: 0 } : undefined;
    this.#taken = position;
    this.#health.located(from);
    this.#health.note({ position, end: log.end, state: from < position ? 'restoring' : 'opening' });
    this.#open();
  }

  /** Logs and counts events that expired unread, and events missing from the redelivery window. */
  #reportLosses({ expired, blind, position }: ReadingPlan): void {
    const { logger } = this.#around;
    if (expired > 0) {
      this.#count('expired', expired);
      logger.warn('events expired before they were read', { ...this.#names, events: expired, from: position });
    }
    if (blind > 0) {
      this.#count('blind', blind);
      logger.warn('the redelivery window starts before the log', { ...this.#names, events: blind });
    }
  }

  /** Opens a link at the next expected event, on a connection other than `broken`. */
  #open(broken?: HubConnection): void {
    this.#health.opened();
    const connection = this.#hub.enter(broken);
    const isOpen = (): boolean => this.#link?.subscription === subscription;
    const subscription = connection.client.subscribe(
      this.#partitionId,
      {
        // The client would stop reading the partition if the handler threw.
        processEvents: async (events) => {
          if (isOpen()) await this.#arrived(events);
        },
        processError: async (error) => {
          if (isOpen()) this.#troubled(error);
        },
        // The client has given up the link.
        processClose: async () => {
          if (isOpen()) this.#reopen('same connection');
        },
      },
      {
        ownerLevel: this.#epoch,
        startPosition: positionBefore(this.#accepted!.next),
        maxBatchSize: BATCH_EVENTS,
        prefetchCount: BATCH_EVENTS,
        maxWaitTimeInSeconds: HEARD_EVERY_S,
        skipParsingBodyAsJson: true,
      },
    );
    this.#link = { subscription, connection };
  }

  /** Closes the link without waiting for the hub. */
  #close(): void {
    clearTimeout(this.#pausing);
    const link = this.#link;
    this.#link = undefined;
    if (link === undefined) return;
    closeQuietly(link.subscription);
    this.#hub.leave(link.connection);
  }

  /** Closes the link and reopens it after a pause, or once the hub grants access again. */
  #reopen(on: 'same connection' | 'another connection'): void {
    const broken = on === 'another connection' ? this.#link?.connection : undefined;
    this.#close();
    if (this.#hubHealth.refused) {
      this.#suspended = true;
      this.#health.note({ state: 'refused' });
      return;
    }
    this.#count('reopened', 1);
    this.#later(() => this.#open(broken));
  }

  #later(work: () => void): void {
    this.#pausing = setTimeout(work, this.#pauseMs());
    this.#attempts += 1;
  }

  #pauseMs(): number {
    return PAUSES[Math.min(this.#attempts, PAUSES.length - 1)]!;
  }

  /** Queues the events of a link, each once and in order. The promise, if any, resolves when the queue has room again. */
  #arrived(events: readonly ReceivedEventData[]): Promise<void> | undefined {
    try {
      return this.#sortIn(events);
    } catch (error) {
      const { logger, handOver } = this.#around;
      logger.error('events could not be queued', { ...this.#names, ...errorFields(error) });
      const problem = error instanceof Error ? error.name : typeof error;
      handOver.fail(new AortaError('AORTA-BUG', { place: `partition ${this.name}`, problem }));
      return undefined;
    }
  }

  #sortIn(events: readonly ReceivedEventData[]): Promise<void> | undefined {
    const { handOver, logger } = this.#around;
    const accepted = this.#accepted!;
    const link = this.#link;
    this.#attempts = 0;
    this.#hubHealth.heard();
    const arrival = accepted.arrive(events.map(({ sequenceNumber }) => sequenceNumber));
    if (arrival.kind === 'doubt') {
      logger.warn('sequence numbers are missing, so the partition is reopened', this.#names);
      this.#reopen('same connection');
      return undefined;
    }
    const { repeated, missing } = arrival;
    if (repeated > 0) this.#count('repeated', repeated);
    if (missing > 0) {
      this.#count('missing', missing);
      logger.warn('the hub skipped sequence numbers', { ...this.#names, events: missing, before: accepted.next });
    }
    const before = arrival.before.map((index) => events[index]!);
    const after = arrival.after.map((index) => events[index]!);
    this.#noteWindow(before);
    this.#health.heard(accepted.next, { state: accepted.rereading ? 'restoring' : 'reading', ...receiptOf(after.at(-1)) });
    let room: Promise<void> | undefined;
    for (const part of [...partsOf(before, true), ...partsOf(after, false)])
      room = handOver.put({ owner: this, ...part }) ?? room;
    if (room === undefined) return undefined;
    this.#health.pause();
    return room.then(() => {
      if (this.#link === link) this.#health.resume();
    });
  }

  /** Reports how long rereading the redelivery window took, once it is complete. */
  #noteWindow(reread: readonly ReceivedEventData[]): void {
    const window = this.#windowReading;
    if (window === undefined) return;
    window.events += reread.length;
    for (const event of reread) window.bytes += bodySize(event);
    if (this.#accepted!.rereading) return;
    this.#windowReading = undefined;
    const { logger, metrics, settings } = this.#around;
    const { events, bytes, since } = window;
    const milliseconds = performance.now() - since;
    const source = settings.name;
    logger.info('redelivery window reread', { source, partition: this.name, events, bytes, ms: Math.round(milliseconds) });
    metrics.count('aorta_redelivery_window_restores_total', { source });
    metrics.observe('aorta_redelivery_window_restore_seconds', { source }, milliseconds / 1000);
  }

  /** Handles an error from which the client may still recover. */
  #troubled(error: unknown): void {
    const failure = failureOf(error);
    this.#around.logger.debug('the client reported an error', { ...this.#names, condition: conditionOf(error) });
    this.#health.failed(error);
    if (failure === 'stolen') {
      this.#around.onStolen();
      // With equal epochs, the hub keeps the link that opens later. Pause as long as possible, so that the next round of
      // claims determines the owner before this link reopens.
      this.#attempts = PAUSES.length - 1;
    } else if (failure === 'stale') {
      // The position is not in the log because the hub was recreated, so determine a new position.
      this.#close();
      this.#accepted = undefined;
      this.#health.lostPosition();
      this.#later(() => this.begin());
    }
  }

  #checkpointAt(sequenceNumber: number, offset: string) {
    const { namespace, streams } = this.#around;
    const { host, group } = namespace;
    const place = { fullyQualifiedNamespace: host, eventHubName: this.#hub.name, consumerGroup: group };
    return { ...place, partitionId: this.#partitionId, sequenceNumber, offset, first: this.#first, streams };
  }

  #count(incident: 'reopened' | 'repeated' | 'missing' | 'expired' | 'blind', count: number): void {
    const { metrics, settings } = this.#around;
    metrics.count('aorta_source_incidents_total', { source: settings.name, incident }, count);
  }
}

/** Returns the position directly after event `next - 1`. The hub rejects the position of an event that does not exist yet. */
function positionBefore(next: number): EventPosition {
  return next === 0 ? earliestEventPosition : { sequenceNumber: next - 1, isInclusive: false };
}

function receiptOf(last: ReceivedEventData | undefined): { readonly receivedAt?: number } {
  const time = last?.enqueuedTimeUtc?.getTime();
  return time === undefined || Number.isNaN(time) ? {} : { receivedAt: time };
}

/** Splits events into items of about {@link CHUNK_BYTES} for the queue. */
function partsOf(events: readonly ReceivedEventData[], before: boolean) {
  const parts: { readonly thing: EventsOfPartition; readonly bytes: number }[] = [];
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
