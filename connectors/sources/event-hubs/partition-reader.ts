import { AortaError, errorFields, type Lane, type LogFields, type Logger, within } from '@aorta/runtime';
import type { ReceivedEventData } from '@azure/event-hubs';
import type { HandOver } from '../partitions/hand-over.ts';
import type { ReadingPlan } from '../partitions/reading.ts';
import { Arrivals, type EventsOfPartition } from './arrivals.ts';
import { type Beginning, type BeginningOptions, findBeginning } from './beginning.ts';
import { Checkpointing } from './checkpointing.ts';
import { type PartitionOfHub, STORE_MS } from './claims.ts';
import type { Connections } from './connections.ts';
import { partitionName } from './delivery-of-event.ts';
import { EndQuestions } from './end-questions.ts';
import { HubError } from './errors.ts';
import type { HubAccess } from './hub-access.ts';
import { conditionOf, failureOf } from './hub-error.ts';
import { PartitionLink } from './partition-link.ts';
import { Watchdog, type WatchLimits } from './watchdog.ts';

/** What happens to partitions, counted by the source. */
type Incident = 'reopened' | 'repeated' | 'missing' | 'expired' | 'blind';

export interface PartitionSurroundings extends BeginningOptions {
  readonly connections: Connections;
  readonly access: HubAccess;
  readonly handOver: HandOver<PartitionReader, EventsOfPartition>;
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

/** A reader looks this often whether a hub that refused it admits it again, in milliseconds. */
const REFUSED_MS = 250;
/** How the client writes the offset before the first event. */
const START_OF_LOG = '-1';

/** What reads a partition, once its position is known. */
interface Opened {
  readonly arrivals: Arrivals;
  readonly watchdog: Watchdog;
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
  readonly #link: PartitionLink;
  readonly #questions: EndQuestions;
  #opened: Opened | undefined;
  #first = 0;
  /** When the hub was last heard of by a link, or the link waited for this process; milliseconds since 1970. */
  #heardAt = Date.now();
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
        this.#warn('partition not opened', { condition: conditionOf(error) });
        if (failureOf(error) === 'stolen') this.#around.onStolen();
        this.#around.access.failed(error, this.#heardAt);
        await pause(this.#link.failed());
        while (!this.#ended && this.#around.access.refused) await pause(REFUSED_MS);
      }
    }
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
    if (this.#opened === undefined || this.#link.isSuspended()) return;
    const { watchdog } = this.#opened;
    const now = clock();
    if (!access.refused) this.#questions.askIfDue(now);
    if (watchdog.paused) this.#heard({ state: 'waiting' });
    const silentMs = Math.round(watchdog.silentFor(now));
    const verdict = watchdog.decide(now);
    if (verdict === 'well') return;
    // What an outage explains, another process would not mend.
    if (verdict === 'restart' && !access.doubtful) {
      const details = { ...this.#names(), seconds: Math.round(silentMs / 1000), behind: watchdog.behind };
      this.#around.handOver.fail(new HubError('AORTA-HUB-STALLED', details));
      return;
    }
    this.#warn('partition is silent and opened anew', { silent_ms: silentMs, behind: watchdog.behind });
    lane.note({ state: 'opening' });
    this.#link.reopen('another connection');
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
    this.#link.end();
    this.#around.handOver.drop(this);
    this.#around.lane.end();
  }

  async #begin(): Promise<void> {
    const { store, start, handOver, namespace } = this.#around;
    const beginning = await findBeginning(this.partition, this.#epoch, this.#around);
    if (this.#ended) return;
    const { checkpoint, first, log, plan } = beginning;
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
    tellLosses(plan, this.partition, this.#around);
    // Where a partition begins is decided once: who takes it over before its first checkpoint must not decide anew.
    if (checkpoint === undefined && start !== 'earliest') {
      await within(STORE_MS, store.updateCheckpoint(this.#checkpointAt(first - 1, START_OF_LOG)));
      if (this.#ended) return;
    }
    this.#read(plan, beginning);
  }

  #read(plan: ReadingPlan, { log }: Pick<Beginning, 'log'>): void {
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

  /** Takes what a link brings: sorts it in and hands it over; the promise, if there is one, resolves when there is room for more. */
  #arrived(events: readonly ReceivedEventData[]): Promise<void> | undefined {
    try {
      return this.#sortIn(events);
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
    logger.debug('the client reports trouble', { ...this.#names(), condition: conditionOf(error) });
    access.failed(error, this.#heardAt);
    if (failure === 'stolen') {
      onStolen();
      // Of two claims with the same epoch the later link wins: the look at the claims should be quicker than the next one.
      this.#link.rest();
    } else if (failure === 'stale') {
      // The position is not one of the log: it was made anew under the reader, and has to be looked at again.
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

/** Says what of the log, and of the redelivery window, is gone already. */
function tellLosses(
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
    logger.warn('the redelivery window reaches back behind the log', { hub, partition, events: blind });
  }
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
}
