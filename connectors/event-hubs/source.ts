import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errorFields, type Logger, type Metrics, Progress, silentLogger, silentMetrics, within } from '@aorta/runtime';
import type { DeliveryBatch, Source, SourceSurroundings } from '../source.ts';
import { HandOver } from '../sources/hand-over.ts';
import { consumerPart } from '../sources/partition.ts';
import { shownAfter, type WindowRange } from '../sources/reading-plan.ts';
import type { Checkpoints } from './checkpoints/checkpoints.ts';
import { openCheckpoints } from './checkpoints/open.ts';
import { Claims, type PartitionOfHub } from './claims.ts';
import { deliveryOfEvent, partitionName } from './delivery-of-event.ts';
import { HubHealth } from './health.ts';
import { Hub, probeHub } from './hub.ts';
import { conditionOf } from './hub-error.ts';
import type { HubMetrics } from './metrics.ts';
import { type Namespace, openNamespace } from './namespace.ts';
import { checkpointSeconds, type EventHubsSettings, hubsOf } from './options.ts';
import { type EventsOfPartition, HubPartitionReader, type ReaderSurroundings } from './partition-reader.ts';

/** Position in a partition after a batch. */
export interface EventHubsPosition {
  readonly reader: HubPartitionReader;
  /** Whether the batch precedes the reader's position. If so, its deliveries are already durable. */
  readonly before: boolean;
  /** Sequence number of the last event in the batch. */
  readonly sequenceNumber: number;
  readonly offset: string;
}

export interface EventHubsSourceOptions
  extends Pick<SourceSurroundings, 'window' | 'patient'>,
    Partial<Pick<SourceSurroundings, 'once' | 'worker' | 'logger' | 'progress'>> {
  readonly settings: EventHubsSettings;
  /** Default folder for checkpoint files. */
  readonly folder: string;
  /** Id of the streams that contain the deliveries once they are durable. */
  readonly streams?: string;
  readonly metrics?: Metrics<HubMetrics>;
  /** Opens a checkpoint store in place of the configured one. Only tests set this. */
  readonly openStore?: () => Promise<Checkpoints>;
  /** Milliseconds between two requests for the end of a log. Default: 3,000, or more if there are many partitions. Only tests set this. */
  readonly askEveryMs?: number;
}

/** Milliseconds between two checks of each reader. Short, so that a lost connection is reopened soon. */
const CHECK_EVERY_MS = 100;
const ASK_COMPLETE_EVERY_MS = 250;
/** Minimum interval between two requests for the end of a log, in milliseconds. */
const ASK_EVERY_MS = 3000;
/** Maximum number of requests per second for the ends of logs. The service answers 50 such requests per second in each namespace. */
const REQUESTS_A_SECOND = 10;
/**
 * A partition counts as stalled if its link is silent for `stalled_s` multiplied by this factor. Answers to requests for
 * the end of the log do not count, because a hub may answer these requests even if it refuses the link.
 */
const UNHEARD = 3;
/** Milliseconds between two requests for a hub's list of partitions. Partitions may be added to a hub while it is being read. */
const PARTITIONS_EVERY_MS = 60_000;

interface OpenHub {
  readonly hub: Hub;
  readonly health: HubHealth;
}

/**
 * Reads deliveries from the hubs of one namespace. All workers with the same checkpoint store share the partitions. For
 * each claimed partition, a reader queues the events, and the source emits them in order of arrival.
 *
 * Throws AORTA-HUB-… if the namespace cannot be used or a checkpoint is not in the log. It also throws if a partition
 * is stalled although its hub answers. The process should then be restarted.
 */
export class EventHubsSource implements Source<EventHubsPosition> {
  readonly name: string;
  readonly worker: string;
  readonly #options: EventHubsSourceOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics<HubMetrics>;
  readonly #progress: Progress;
  readonly #handOver: HandOver<HubPartitionReader, EventsOfPartition>;
  readonly #hubs = new Map<string, OpenHub>();
  readonly #readers = new Map<string, HubPartitionReader>();
  /** Sequence numbers that this process has passed to its redelivery window, by partition. */
  readonly #shown = new Map<string, WindowRange>();
  readonly #stopping = new AbortController();
  #claims: Claims | undefined;
  #claiming: Promise<void> | undefined;
  readonly #timers: NodeJS.Timeout[] = [];
  #unwatch: () => void = () => {};

  constructor(options: EventHubsSourceOptions) {
    this.name = options.settings.name;
    this.worker = options.worker ?? `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#metrics = options.metrics ?? silentMetrics;
    this.#progress = options.progress ?? new Progress();
    this.#handOver = new HandOver(options.settings.held_bytes);
  }

  /** Total size of the received bodies that the consumer has not taken yet, in bytes. */
  get heldBytes(): number {
    return this.#handOver.bytes;
  }

  async *batches(signal: AbortSignal): AsyncGenerator<DeliveryBatch<EventHubsPosition>> {
    await this.#start();
    for (;;) {
      const handed = await this.#handOver.take(signal);
      if (handed === undefined) return;
      const { owner: reader, thing } = handed;
      const last = thing.events.at(-1)!;
      const position = { reader, before: thing.before, sequenceNumber: last.sequenceNumber, offset: last.offset };
      const deliveries = thing.events.map((event) => deliveryOfEvent(this.name, reader.name, event));
      const shown = shownAfter(this.#shown.get(reader.name), deliveries[0]!.offset, last.sequenceNumber + 1);
      this.#shown.set(reader.name, shown);
      if (!thing.before) reader.handedOn(last.sequenceNumber + 1);
      yield thing.before ? { deliveries, position, before: true } : { deliveries, position };
      if (this.#options.once === true) this.#endIfComplete(new Map());
    }
  }

  async commit(positions: readonly EventHubsPosition[]): Promise<void> {
    const last = new Map<HubPartitionReader, EventHubsPosition>();
    for (const position of positions) if (!position.before) last.set(position.reader, position);
    for (const [reader, { sequenceNumber, offset }] of last) reader.durable(sequenceNumber, offset);
  }

  /** Writes the last checkpoints, releases the claims and closes the connections. Never rejects. Every step has a deadline. */
  async close(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    this.#unwatch();
    this.#handOver.end();
    await this.#claiming;
    const readers = [...this.#readers.values()];
    for (const reader of readers) reader.stop();
    await Promise.all(readers.map((reader) => reader.writeCheckpoint()));
    await this.#claims?.release();
    await Promise.all([...this.#hubs.values()].map(({ hub }) => hub.close()));
  }

  async #start(): Promise<void> {
    const { settings, once } = this.#options;
    const namespace = await openNamespace(settings, this.worker);
    const opened = await Promise.all(hubsOf(settings).map((hub) => this.#openHub(namespace, hub)));
    for (const one of opened) if (one !== undefined) this.#hubs.set(one.hub.name, one);
    if (this.#stopping.signal.aborted) return;
    const store = await (this.#options.openStore ?? (() => this.#openStore()))();
    // The source may have been closed meanwhile.
    if (this.#stopping.signal.aborted) return;
    const claims = this.#claimsOf(namespace, store);
    this.#claims = claims;
    this.#claiming = claims.run(this.#stopping.signal);
    this.#unwatch = this.#metrics.watch((set) => {
      set('aorta_source_held_bytes', { source: this.name }, this.#handOver.bytes);
    });
    this.#every(checkpointSeconds(settings) * 1000, () => {
      for (const reader of this.#readers.values()) reader.writeCheckpoint();
    });
    this.#every(CHECK_EVERY_MS, () => {
      for (const reader of this.#readers.values()) reader.check();
    });
    this.#every(PARTITIONS_EVERY_MS, () => this.#lookForPartitions(namespace));
    if (once === true) this.#every(ASK_COMPLETE_EVERY_MS, () => this.#askWhetherComplete(namespace, store));
    this.#logger.info('event hubs opened', {
      source: this.name,
      namespace: namespace.host,
      hubs: this.#hubs.size,
      partitions: this.#partitions.length,
      worker: this.worker,
    });
  }

  #openStore(): Promise<Checkpoints> {
    const { settings, folder } = this.#options;
    return openCheckpoints(settings, folder, this.worker, (error) =>
      this.#logger.warn('overwritten checkpoints are kept', { source: this.name, ...errorFields(error) }),
    );
  }

  /** Probes a hub and opens it. Returns undefined if the source is closed before the hub grants access. */
  async #openHub(namespace: Namespace, name: string): Promise<OpenHub | undefined> {
    const { patient = false, settings } = this.#options;
    const probe = () => probeHub(namespace, name);
    const health = new HubHealth({
      source: this.name,
      hub: name,
      probe,
      deadlineMs: UNHEARD * settings.stalled_s * 1000,
      logger: this.#logger,
      metrics: this.#metrics,
      progress: this.#progress,
      signal: this.#stopping.signal,
    });
    const partitions = await (patient ? health.admitted() : probe());
    return partitions === undefined ? undefined : { hub: new Hub(namespace, name, partitions), health };
  }

  #every(milliseconds: number, work: () => void): void {
    this.#timers.push(setInterval(work, milliseconds));
  }

  get #partitions(): readonly PartitionOfHub[] {
    return [...this.#hubs.values()].flatMap(({ hub }) =>
      Array.from(hub.partitions.keys(), (partitionId) => ({ hub: hub.name, partitionId })),
    );
  }

  #claimsOf(namespace: Namespace, store: Checkpoints): Claims {
    const { settings, streams, window, askEveryMs } = this.#options;
    const around: ReaderSurroundings = {
      settings,
      streams,
      namespace,
      store,
      handOver: this.#handOver,
      window,
      shown: (name) => this.#shown.get(name),
      askEveryMs: () => askEveryMs ?? Math.max(ASK_EVERY_MS, (this.#partitions.length / REQUESTS_A_SECOND) * 1000),
      logger: this.#logger,
      metrics: this.#metrics,
      progress: this.#progress,
      onStolen: () => this.#claims?.lookSoon(),
    };
    return new Claims({
      store,
      host: namespace.host,
      group: namespace.group,
      worker: this.worker,
      intervalMs: settings.claim_s * 1000,
      expiryMs: settings.claim_expiry_s * 1000,
      partitions: () => this.#partitions,
      logger: this.#logger,
      waits: (reason) => this.#progress.wait(consumerPart(this.name), reason),
      onClaimed: (partition, epoch) => this.#claimed(partition, epoch, around),
      onLost: (partition) => this.#lost(partition),
    });
  }

  /** Starts reading a partition that was claimed with this epoch. */
  #claimed({ hub: name, partitionId }: PartitionOfHub, epoch: number, around: ReaderSurroundings): void {
    const { hub, health } = this.#hubs.get(name)!;
    this.#readers.get(partitionName(name, partitionId))?.lose();
    const reader = new HubPartitionReader(hub, health, partitionId, epoch, around);
    this.#readers.set(reader.name, reader);
    this.#logger.info('partition claimed', { source: this.name, hub: name, partition: partitionId });
    reader.begin();
  }

  /** Stops reading a partition that another worker has claimed. */
  #lost({ hub, partitionId }: PartitionOfHub): void {
    const name = partitionName(hub, partitionId);
    this.#readers.get(name)?.lose();
    this.#readers.delete(name);
    this.#logger.info('partition lost to another worker', { source: this.name, hub, partition: partitionId });
  }

  #lookForPartitions({ host: namespace }: Namespace): void {
    for (const [name, { hub }] of this.#hubs) {
      hub.addNewPartitions().catch((error: unknown) => {
        const condition = conditionOf(error);
        this.#logger.debug('the hub did not report its partitions', { namespace, hub: name, condition });
      });
    }
  }

  /** Ends the run once every partition has been read. For partitions that other workers read, the stored checkpoints are checked. */
  #askWhetherComplete(namespace: Namespace, store: Checkpoints): void {
    const lists = [...this.#hubs.keys()].map((hub) => within(5000, store.listCheckpoints(namespace.host, hub, namespace.group)));
    Promise.all(lists).then(
      (checkpoints) => {
        const next = checkpoints
          .flat()
          .map((one) => [partitionName(one.eventHubName, one.partitionId), one.sequenceNumber + 1] as const);
        this.#endIfComplete(new Map(next));
      },
      (error: unknown) => this.#logger.debug('checkpoints could not be read', { condition: conditionOf(error) }),
    );
  }

  /** Ends the run if all events that were in the partitions when the process started have been read. */
  #endIfComplete(checkpoints: ReadonlyMap<string, number>): void {
    for (const { hub } of this.#hubs.values()) {
      for (const [partitionId, { begin, end }] of hub.partitions) {
        const name = partitionName(hub.name, partitionId);
        const next = Math.max(this.#readers.get(name)?.taken ?? 0, checkpoints.get(name) ?? 0);
        if (end > begin && next < end) return;
      }
    }
    this.#handOver.end();
  }
}
