import { AortaError, errorFields, type Lane, type LogFields, type Logger, within } from '@aorta/runtime';
import type { ReceivedEventData } from '@azure/event-hubs';
import type { HandOver } from '../hand-over.ts';
import type { ReadingPlan } from '../reading-plan.ts';
import { Arrivals, type EventsOfPartition } from './arrivals.ts';
import { CheckpointWriter } from './checkpoint-writer.ts';
import { type PartitionOfHub, STORE_MS } from './claims.ts';
import { partitionName } from './delivery-of-event.ts';
import { HubError } from './errors.ts';
import type { HubAccess } from './hub-access.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import type { LogEnds } from './hub-partitions.ts';
import type { Connections } from './namespace.ts';
import { PartitionLink } from './partition-link.ts';
import { findPartitionStart, type PartitionStart, type PartitionStartOptions } from './partition-start.ts';
import { Watchdog, type WatchLimits } from './watchdog.ts';

/** Kinds of incidents in a partition that the source counts. */
type Incident = 'reopened' | 'repeated' | 'missing' | 'expired' | 'blind';

export interface PartitionSurroundings extends PartitionStartOptions {
  readonly connections: Connections;
  readonly access: HubAccess;
  readonly handOver: HandOver<PartitionReader, EventsOfPartition>;
  readonly watch: WatchLimits;
  /** Milliseconds between two requests for the end of the log. */
  readonly askEveryMs: number;
  readonly lane: Lane;
  readonly logger: Logger;
  readonly onIncident: (incident: Incident, count: number) => void;
  /** Called if the hub or the checkpoint store reports that another worker reads the partition. */
  readonly onStolen: () => void;
  /**
   * Called when the redelivery window has been reread, with the number of events, the number of bytes, and the duration
   * in milliseconds.
   */
  readonly onWindowRead: (events: number, bytes: number, milliseconds: number) => void;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

/** Milliseconds between two checks of a hub that refused access. */
const REFUSED_MS = 250;
/** The client's notation for the offset before the first event. */
const START_OF_LOG = '-1';

/** The objects that exist once the position is known. */
interface Opened {
  readonly arrivals: Arrivals;
  readonly watchdog: Watchdog;
}

interface EndQuestionsOptions {
  readonly partition: PartitionOfHub;
  readonly ends: LogEnds;
  /** Milliseconds between two requests. */
  readonly everyMs: number;
  readonly logger: Logger;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Called with the current end of the log. */
  readonly onEnd: (end: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Milliseconds between a failed request and the next one. */
const ASK_AGAIN_MS = 1000;

/** Periodically asks for the end of one partition's log. Only one request runs at a time. */
class EndQuestions {
  readonly #options: EndQuestionsOptions;
  #askAt = Number.NEGATIVE_INFINITY;
  #asking = false;

  constructor(options: EndQuestionsOptions) {
    this.#options = options;
  }

  /** Sends a request if the interval has passed. */
  askIfDue(now: number): void {
    if (this.#asking || now < this.#askAt) return;
    const { partition, ends, everyMs, logger, clock, onEnd, onFailed } = this.#options;
    this.#asking = true;
    this.#askAt = now + everyMs;
    ends.bounds(partition.partitionId).then(
      ({ end }) => {
        this.#asking = false;
        onEnd(end);
      },
      (error: unknown) => {
        this.#asking = false;
        // The next request uses a new connection, so it need not wait for the whole interval.
        this.#askAt = clock() + ASK_AGAIN_MS;
        onFailed(error);
        const names = { hub: partition.hub, partition: partition.partitionId };
        logger.debug('the hub did not report the end of the log', { ...names, condition: conditionOf(error) });
      },
    );
  }
}

/**
 * Reads one claimed partition until the claim is lost or the source stops. It determines the position, opens a link,
 * queues each event once and in order, and reopens the link whenever it closes, fails or goes silent. It never throws
 * into the client, and every wait has a deadline.
 */
export class PartitionReader {
  readonly partition: PartitionOfHub;
  /** Name of the partition in receipts. */
  readonly name: string;
  readonly #around: PartitionSurroundings;
  readonly #epoch: number;
  readonly #checkpoints: CheckpointWriter;
  readonly #link: PartitionLink;
  readonly #questions: EndQuestions;
  #opened: Opened | undefined;
  #first = 0;
  /**
   * Time at which the client last called the handler, or at which the link last waited for room in the queue, in
   * milliseconds since 1970.
   */
  #heardAt = Date.now();
  #warned = false;
  #ended = false;
  /** The next sequence number that the consumer will take; undefined until the position is known. */
  #taken: number | undefined;

  constructor(partition: PartitionOfHub, epoch: number, around: PartitionSurroundings) {
    this.partition = partition;
    this.name = partitionName(partition.hub, partition.partitionId);
    this.#epoch = epoch;
    this.#around = around;
    this.#checkpoints = new CheckpointWriter(around.store, around.logger, () => around.onStolen());
    this.#link = new PartitionLink({
      partitionId: partition.partitionId,
      epoch,
      connections: around.connections,
      access: around.access,
      next: () => this.#opened!.arrivals.next,
      onEvents: (events) => this.#arrived(events),
      onTrouble: (error) => this.#troubled(error),
      onReopening: () => around.onIncident('reopened', 1),
      onOpening: () => this.#opened!.watchdog.opened(around.clock()),
      onRefused: () => around.lane.note({ state: 'refused' }),
    });
    this.#questions = new EndQuestions({
      partition,
      ends: around.ends,
      everyMs: around.askEveryMs,
      logger: around.logger,
      clock: around.clock,
      onEnd: (end) => this.#logEnds(end),
      onFailed: (error) => around.access.failed(error, this.#heardAt),
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
        this.#warn('partition not opened', { condition: conditionOf(error) });
        if (failureOf(error) === 'stolen') this.#around.onStolen();
        this.#around.access.failed(error, this.#heardAt);
        await pause(this.#link.failed());
        while (!this.#ended && this.#around.access.refused) await pause(REFUSED_MS);
      }
    }
  }

  /** Logs a warning. During an outage, or after another warning since the link last worked, logs at debug level instead. */
  #warn(event: string, fields: LogFields): void {
    const { logger, access } = this.#around;
    logger[this.#warned || access.doubtful ? 'debug' : 'warn'](event, { ...this.#names(), ...fields });
    this.#warned = true;
  }

  /** Records that the consumer has taken everything before `next`. */
  handedOn(next: number): void {
    this.#taken = Math.max(this.#taken ?? 0, next);
    this.#around.lane.note({ position: this.#taken });
  }

  /** Records that all events up to and including this sequence number are durable. */
  durable(sequenceNumber: number, offset: string): void {
    this.#checkpoints.durable(this.#checkpointAt(sequenceNumber, offset));
  }

  writeCheckpoint(): Promise<void> {
    return this.#checkpoints.write();
  }

  /** Asks for the end of the log, and checks whether the link is alive. Called ten times a second. */
  check(): void {
    const { clock, access, lane, watch } = this.#around;
    if (this.#ended) return;
    const unheardMs = Date.now() - this.#heardAt;
    if (unheardMs >= watch.stalledMs) access.doubt(this.#heardAt);
    if (this.#opened === undefined || this.#link.isSuspended()) return;
    const { watchdog } = this.#opened;
    const now = clock();
    if (!access.refused) this.#questions.askIfDue(now);
    if (watchdog.paused) this.#heard({ state: 'waiting' });
    const silentMs = Math.round(watchdog.silentFor(now));
    const verdict = watchdog.decide(now);
    if (verdict === 'well') return;
    // During an outage, restarting the process would not help.
    if (verdict === 'restart' && !access.doubtful) {
      const details = { ...this.#names(), seconds: Math.round(silentMs / 1000), behind: watchdog.behind };
      this.#around.handOver.fail(new HubError('AORTA-HUB-STALLED', details));
      return;
    }
    this.#warn('silent partition reopened', { silent_ms: silentMs, behind: watchdog.behind });
    lane.note({ state: 'opening' });
    this.#link.reopen('another connection');
  }

  /** Records that the link works, or that it is waiting for room in the queue. */
  #heard(news: Parameters<Lane['report']>[0]): void {
    this.#heardAt = Date.now();
    this.#warned = false;
    this.#around.lane.report(news);
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
    this.#link.end();
    this.#around.handOver.drop(this);
    this.#around.lane.end();
  }

  async #begin(): Promise<void> {
    const { store, start, handOver, namespace } = this.#around;
    const found = await findPartitionStart(this.partition, this.#epoch, this.#around);
    if (this.#ended) return;
    const { checkpoint, first, log, plan } = found;
    if (plan.kind === 'beyond') {
      handOver.fail(
        new HubError('AORTA-HUB-CHECKPOINT', {
          ...this.#names(),
          group: namespace.group,
          checkpoint: checkpoint?.sequenceNumber ?? first - 1,
          last: log.end - 1,
        }),
      );
      return;
    }
    this.#first = first;
    reportLosses(plan, this.partition, this.#around);
    // Store the start position now. A worker that takes over before the first checkpoint must not choose a different
    // start.
    if (checkpoint === undefined && start !== 'earliest') {
      await within(STORE_MS, store.updateCheckpoint(this.#checkpointAt(first - 1, START_OF_LOG)));
      if (this.#ended) return;
    }
    this.#read(plan, found);
  }

  #read(plan: ReadingPlan, { log }: Pick<PartitionStart, 'log'>): void {
    const { lane, clock, logger, onIncident, onWindowRead, watch } = this.#around;
    const { partition } = this;
    this.#opened = {
      arrivals: new Arrivals(plan, {
        partition,
        logger,
        onIncident,
        onWindowRead,
        clock,
      }),
      watchdog: new Watchdog(watch, clock(), plan.from),
    };
    this.#taken = plan.position;
    lane.note({ position: plan.position, end: log.end, state: plan.from < plan.position ? 'restoring' : 'opening' });
    this.#link.open();
  }

  /** Queues the events of a link, each once and in order. The promise, if any, resolves when the queue has room again. */
  #arrived(events: readonly ReceivedEventData[]): Promise<void> | undefined {
    try {
      return this.#sortIn(events);
    } catch (error) {
      this.#around.logger.error('events could not be queued', { ...this.#names(), ...errorFields(error) });
      this.#around.handOver.fail(
        new AortaError('AORTA-BUG', {
          place: `partition ${this.name}`,
          problem: error instanceof Error ? error.name : typeof error,
        }),
      );
      return undefined;
    }
  }

  #sortIn(events: readonly ReceivedEventData[]): Promise<void> | undefined {
    const { clock, access, handOver } = this.#around;
    const { arrivals, watchdog } = this.#opened!;
    const link = this.#link.current;
    this.#link.heard();
    access.heard();
    if (events.length === 0) {
      watchdog.heard(clock(), arrivals.next);
      this.#heard({ state: arrivals.state });
      return undefined;
    }
    const sorted = arrivals.sort(events);
    if (sorted === 'doubt') {
      this.#link.reopen('same connection');
      return undefined;
    }
    watchdog.heard(clock(), arrivals.next);
    this.#heard({ state: arrivals.state, ...receiptOf(sorted.last) });
    let room: Promise<void> | undefined;
    for (const part of sorted.parts) room = handOver.put({ owner: this, ...part }) ?? room;
    if (room === undefined) return undefined;
    watchdog.pause();
    return room.then(() => {
      if (this.#link.current === link) watchdog.resume(clock());
    });
  }

  #troubled(error: unknown): void {
    const { logger, onStolen, access } = this.#around;
    const failure = failureOf(error);
    logger.debug('the client reported an error', { ...this.#names(), condition: conditionOf(error) });
    access.failed(error, this.#heardAt);
    if (failure === 'stolen') {
      onStolen();
      // With equal epochs, the hub keeps the link that opens later. Pause, so that the next round of claims determines
      // the owner before this link reopens.
      this.#link.rest();
    } else if (failure === 'stale') {
      // The position is not in the log because the hub was recreated, so determine a new position.
      this.#link.giveUp(() => this.begin());
    }
  }

  #logEnds(end: number): void {
    if (this.#ended) return;
    this.#opened?.watchdog.logEnds(this.#around.clock(), end);
    this.#around.lane.note({ end });
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

function receiptOf(last: ReceivedEventData | undefined): { readonly receivedAt?: number } {
  const time = last?.enqueuedTimeUtc?.getTime();
  return time === undefined || Number.isNaN(time) ? {} : { receivedAt: time };
}

/** Logs and counts events that expired unread, and events missing from the redelivery window. */
function reportLosses(
  { expired, blind, position }: ReadingPlan,
  { hub, partitionId: partition }: PartitionOfHub,
  { onIncident, logger }: Pick<PartitionSurroundings, 'onIncident' | 'logger'>,
): void {
  if (expired > 0) {
    onIncident('expired', expired);
    logger.warn('events expired before they were read', { hub, partition, events: expired, from: position });
  }
  if (blind > 0) {
    onIncident('blind', blind);
    logger.warn('the redelivery window starts before the log', { hub, partition, events: blind });
  }
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
}
