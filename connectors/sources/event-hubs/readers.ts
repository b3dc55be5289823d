import type { Logger, Metrics, Progress } from '@aorta/runtime';
import type { HandOver } from '../hand-over.ts';
import { consumerPart, startPositionOf } from '../partition.ts';
import { shownAfter, type WindowRange } from '../reading-plan.ts';
import type { EventsOfPartition } from './arrivals.ts';
import type { Checkpoints } from './checkpoints/checkpoints.ts';
import type { PartitionOfHub } from './claims.ts';
import { partitionName } from './delivery-of-event.ts';
import type { HubAccess } from './hub-access.ts';
import type { HubPartitions, LogEnds } from './hub-partitions.ts';
import type { HubMetrics } from './metrics.ts';
import type { Connections, Namespace } from './namespace.ts';
import type { EventHubsSettings } from './options.ts';
import { PartitionReader } from './partition-reader.ts';

/** The objects that all partition readers of one hub share. */
export interface OpenHub {
  readonly ends: LogEnds;
  readonly connections: Connections;
  readonly access: HubAccess;
}

export interface ReadersOptions {
  readonly settings: EventHubsSettings;
  readonly namespace: Namespace;
  readonly store: Checkpoints;
  readonly hubs: ReadonlyMap<string, OpenHub>;
  readonly partitions: HubPartitions;
  readonly handOver: HandOver<PartitionReader, EventsOfPartition>;
  /** Size of the redelivery window in sequence numbers. */
  readonly window: number;
  /** Minimum interval between two requests for the end of a log, in milliseconds. */
  readonly askEveryMs: number | undefined;
  /** If the client makes no call for this many milliseconds, the partition counts as stalled. */
  readonly unheardMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics<HubMetrics>;
  readonly progress: Progress;
  /** Called if the hub or the checkpoint store reports that another worker reads a partition. */
  readonly onStolen: () => void;
}

/** Number of unsuccessful reopenings of a link after which the process must be restarted. */
const OPENINGS = 2;
/** The client calls the handler twice a second. If it makes no call for this many milliseconds, the connection counts as lost. */
const HEARD_EVERY_MS = 1200;
const ASK_EVERY_MS = 3000;
/** Maximum number of requests per second for the ends of logs. The service answers 50 such requests per second in each namespace. */
const QUESTIONS_A_SECOND = 10;

export class Readers {
  readonly #options: ReadersOptions;
  readonly #readers = new Map<string, PartitionReader>();
  /** Sequence numbers that this process has passed to its redelivery window, by partition. */
  readonly #shown = new Map<string, WindowRange>();

  constructor(options: ReadersOptions) {
    this.#options = options;
  }

  all(): readonly PartitionReader[] {
    return [...this.#readers.values()];
  }

  /** Returns the next sequence number that the consumer will take; undefined if this worker does not read the partition. */
  taken(name: string): number | undefined {
    return this.#readers.get(name)?.taken;
  }

  /** Records that the sequence numbers [from, next) of the partition were passed to the redelivery window. */
  noteShown(name: string, from: number, next: number): void {
    this.#shown.set(name, shownAfter(this.#shown.get(name), from, next));
  }

  /** Starts reading a partition that was claimed with this epoch. */
  claimed(partition: PartitionOfHub, epoch: number): void {
    const { settings, logger } = this.#options;
    const { hub, partitionId } = partition;
    const name = partitionName(hub, partitionId);
    this.#readers.get(name)?.lose();
    const reader = this.#readerOf(partition, epoch, name);
    this.#readers.set(name, reader);
    logger.info('partition claimed', { source: settings.name, hub, partition: partitionId });
    reader.begin();
  }

  /** Stops reading a partition that another worker has claimed. */
  lost({ hub, partitionId }: PartitionOfHub): void {
    const name = partitionName(hub, partitionId);
    this.#readers.get(name)?.lose();
    this.#readers.delete(name);
    const { settings, logger } = this.#options;
    logger.info('partition lost to another worker', { source: settings.name, hub, partition: partitionId });
  }

  /** Stops all readers. Resolves when the last checkpoints have been written. */
  async stop(): Promise<void> {
    const readers = this.all();
    for (const reader of readers) reader.stop();
    await Promise.all(readers.map((reader) => reader.writeCheckpoint()));
  }

  #readerOf(partition: PartitionOfHub, epoch: number, name: string): PartitionReader {
    const { settings, namespace, store, hubs, partitions, handOver, window, logger, metrics, progress } = this.#options;
    const { askEveryMs = Math.max(ASK_EVERY_MS, (partitions.size / QUESTIONS_A_SECOND) * 1000), unheardMs } = this.#options;
    const source = settings.name;
    return new PartitionReader(partition, epoch, {
      namespace,
      ...hubs.get(partition.hub)!,
      store,
      handOver,
      start: startPositionOf(settings.start_position),
      atStart: partitions.atStart(name),
      window,
      shown: () => this.#shown.get(name),
      watch: { stalledMs: settings.stalled_s * 1000, heardEveryMs: HEARD_EVERY_MS, openings: OPENINGS },
      askEveryMs,
      lane: progress.lane(
        { kind: 'partition', reader: source, of: name },
        { part: consumerPart(source), heardEveryMs: unheardMs },
      ),
      logger,
      onIncident: (incident, count) => metrics.count('aorta_source_incidents_total', { source, incident }, count),
      onStolen: this.#options.onStolen,
      onWindowRead: (events, bytes, milliseconds) => {
        const ms = Math.round(milliseconds);
        logger.info('redelivery window reread', { source, partition: name, events, bytes, ms });
        metrics.count('aorta_redelivery_window_restores_total', { source });
        metrics.observe('aorta_redelivery_window_restore_seconds', { source }, milliseconds / 1000);
      },
      clock: () => performance.now(),
    });
  }
}
