import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { errorFields, type Logger, type Metrics, Progress, silentLogger, silentMetrics, within } from '@aorta/telemetry';
import { consumerPart } from '../consumer.ts';
import type { DeliveryBatch, Source } from '../delivery.ts';
import { HandOver } from '../partitions/hand-over.ts';
import { type LogBounds, type Shown, shownAfter } from '../partitions/reading.ts';
import { startPositionOf } from '../partitions/start-position.ts';
import type { Checkpoints } from './checkpoints/checkpoints.ts';
import { openCheckpoints } from './checkpoints/open.ts';
import { Claims, type PartitionOfHub } from './claims.ts';
import { Connections } from './connections.ts';
import { deliveryOfEvent, partitionName } from './delivery-of-event.ts';
import { HubAccess } from './hub-access.ts';
import { conditionOf } from './hub-error.ts';
import { LogEnds } from './log-ends.ts';
import { type Namespace, openNamespace } from './namespace.ts';
import { checkpointSeconds, type EventHubsSettings, hubsOf } from './options.ts';
import { type EventsOfPartition, type Incident, PartitionReader } from './partition-reader.ts';
import { type ProbedHub, probeHub } from './probe.ts';

/** How far a partition is taken after a batch. */
export interface EventHubsPosition {
  readonly reader: PartitionReader;
  /** The batch stands before the reader's position: what it covers was durable before. */
  readonly before: boolean;
  /** Of the last event of the batch. */
  readonly sequenceNumber: number;
  readonly offset: string;
}

export interface EventHubsSourceOptions {
  readonly settings: EventHubsSettings;
  /** Folder of the checkpoints, where they are in files and the settings name none. */
  readonly folder: string;
  /** Sequence numbers that the redelivery window reaches back; 0 where it is off. */
  readonly window: number;
  /** Ends when every partition's end as of the start was reached, by this worker or another one. */
  readonly once?: boolean;
  /** An earlier process of this run has read these hubs, so one that refuses this one is waited for. Default: the start ends with an error. */
  readonly patient?: boolean;
  /** Name of the worker, which no other has at the same time. A process that is started anew under it has its claims at once. Default: a new one. */
  readonly worker?: string;
  readonly logger?: Logger;
  readonly progress?: Progress;
  readonly metrics?: Metrics;
  /** For tests: in place of the checkpoints of the settings. */
  readonly checkpoints?: Checkpoints;
  /** For tests: milliseconds between two questions for the end of each log. Default 3,000, more with many partitions. */
  readonly askEveryMs?: number;
}

/** Openings in vain, each after the time of `stalled_s`, before the process is to be started anew. */
const OPENINGS = 2;
/** The client calls twice a second; what is later by so much, in milliseconds, has lost its connection without a word. */
const HEARD_EVERY_MS = 1200;
/** With the beat before, what bounds the silence after a close that the client does not notice. */
const CHECK_EVERY_MS = 100;
const ASK_THROUGH_EVERY_MS = 250;
/** A partition whose link was not heard of for so many times `stalled_s` is not well. What its log says is no sign of life: a refused link stays away while the log answers. */
const UNHEARD = 3;
const ASK_EVERY_MS = 3000;
/** The service answers 50 such questions a second and namespace; this many are asked at most by one process. */
const QUESTIONS_A_SECOND = 10;
/** Hubs may be given more partitions while they are read. */
const PARTITIONS_EVERY_MS = 60_000;

/**
 * Deliveries out of the hubs of one namespace. The partitions are shared with all workers that have the same checkpoints;
 * each that is claimed has a reader, which hands over what comes; here it is taken in the order of arrival.
 *
 * Ends with AORTA-HUB-… where the namespace cannot be used, where a checkpoint is not of the log, and where a partition
 * stands still although its hub answers: then the process should be started anew.
 */
export class EventHubsSource implements Source<EventHubsPosition> {
  readonly name: string;
  /** Name of this worker in the claims. */
  readonly worker: string;
  readonly #options: EventHubsSourceOptions;
  readonly #logger: Logger;
  readonly #metrics: Metrics;
  readonly #progress: Progress;
  readonly #handOver: HandOver<PartitionReader, EventsOfPartition>;
  readonly #readers = new Map<string, PartitionReader>();
  readonly #shown = new Map<string, Shown>();
  /** What each partition held at the start, by its name. */
  readonly #partitions = new Map<string, PartitionOfHub & { readonly atStart: LogBounds }>();
  readonly #ends = new Map<string, LogEnds>();
  readonly #connections = new Map<string, Connections>();
  readonly #access = new Map<string, HubAccess>();
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

  /** Bytes of bodies that were received and are not taken yet. */
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
      this.#shown.set(reader.name, shownAfter(this.#shown.get(reader.name), deliveries[0]!.offset, last.sequenceNumber + 1));
      if (!thing.before) reader.handedOn(last.sequenceNumber + 1);
      yield thing.before ? { deliveries, position, before: true } : { deliveries, position };
      if (this.#options.once === true) this.#endIfThrough(new Map());
    }
  }

  async commit(positions: readonly EventHubsPosition[]): Promise<void> {
    const last = new Map<PartitionReader, EventHubsPosition>();
    for (const position of positions) if (!position.before) last.set(position.reader, position);
    for (const [reader, { sequenceNumber, offset }] of last) reader.durable(sequenceNumber, offset);
  }

  /** Writes the last checkpoints, gives the claims free and closes the connections. Never rejects, and never takes long. */
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
    this.#readers.clear();
    await Promise.all([...this.#connections.values(), ...this.#ends.values()].map((open) => open.close()));
  }

  async #start(): Promise<void> {
    const { settings, once } = this.#options;
    const namespace = await openNamespace(settings, this.worker);
    const probed = await Promise.all(hubsOf(settings).map((hub) => this.#admitted(namespace, hub)));
    for (const { hub, partitions } of probed.filter((one) => one !== undefined)) {
      this.#ends.set(hub, new LogEnds(namespace, hub));
      this.#connections.set(hub, new Connections(namespace, hub));
      for (const [partitionId, atStart] of partitions) {
        this.#partitions.set(partitionName(hub, partitionId), { hub, partitionId, atStart });
      }
    }
    if (this.#stopping.signal.aborted) return;
    const store =
      this.#options.checkpoints ??
      (await openCheckpoints(settings, this.#options.folder, this.worker, (error) =>
        this.#logger.warn('overwritten checkpoints are kept', { source: this.name, ...errorFields(error) }),
      ));
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
    if (once === true) this.#every(ASK_THROUGH_EVERY_MS, () => this.#askWhetherThrough(namespace, store));
    this.#logger.info('event hubs opened', {
      source: this.name,
      namespace: namespace.host,
      hubs: probed.length,
      partitions: this.#partitions.size,
      worker: this.worker,
    });
  }

  /** What a hub holds; undefined where the source is closed before the hub admits it. */
  #admitted(namespace: Namespace, hub: string): Promise<ProbedHub | undefined> {
    const { settings, patient = false } = this.#options;
    const probe = () => probeHub(namespace, hub);
    const access = new HubAccess({
      source: this.name,
      hub,
      probe,
      deadlineMs: UNHEARD * settings.stalled_s * 1000,
      logger: this.#logger,
      metrics: this.#metrics,
      progress: this.#progress,
      signal: this.#stopping.signal,
    });
    this.#access.set(hub, access);
    return patient ? access.admitted() : probe();
  }

  #every(milliseconds: number, work: () => void): void {
    this.#timers.push(setInterval(work, milliseconds));
  }

  #claimsOf(namespace: Namespace, store: Checkpoints): Claims {
    const { settings } = this.#options;
    return new Claims({
      store,
      host: namespace.host,
      group: namespace.group,
      worker: this.worker,
      intervalMs: settings.claim_s * 1000,
      expiryMs: settings.claim_expiry_s * 1000,
      partitions: () => [...this.#partitions.values()],
      logger: this.#logger,
      waits: (reason) => this.#progress.wait(consumerPart(this.name), reason),
      onClaimed: (partition, epoch) => this.#claimed(partition, epoch, namespace, store),
      onLost: (partition) => this.#lost(partition),
    });
  }

  #claimed(partition: PartitionOfHub, epoch: number, namespace: Namespace, store: Checkpoints): void {
    const { hub, partitionId } = partition;
    const { settings, window } = this.#options;
    const name = partitionName(hub, partitionId);
    this.#readers.get(name)?.lose();
    const reader: PartitionReader = new PartitionReader(partition, epoch, {
      namespace,
      connections: this.#connections.get(hub)!,
      ends: this.#ends.get(hub)!,
      access: this.#access.get(hub)!,
      store,
      handOver: this.#handOver,
      start: startPositionOf(settings.start_position),
      atStart: this.#partitions.get(name)!.atStart,
      window,
      shown: () => this.#shown.get(name),
      watch: { stalledMs: settings.stalled_s * 1000, heardEveryMs: HEARD_EVERY_MS, openings: OPENINGS },
      askEveryMs: this.#options.askEveryMs ?? Math.max(ASK_EVERY_MS, (this.#partitions.size / QUESTIONS_A_SECOND) * 1000),
      lane: this.#progress.lane(
        { kind: 'partition', reader: this.name, of: name },
        { part: consumerPart(this.name), heardEveryMs: UNHEARD * settings.stalled_s * 1000 },
      ),
      logger: this.#logger,
      onIncident: (incident, count) => this.#count(incident, count),
      onStolen: () => this.#claims?.lookSoon(),
      onWindowRead: (events, bytes, milliseconds) => {
        this.#logger.info('redelivery window read again', {
          source: this.name,
          partition: name,
          events,
          bytes,
          ms: Math.round(milliseconds),
        });
        this.#metrics.count('aorta_redelivery_window_restores_total', { source: this.name });
        this.#metrics.observe('aorta_redelivery_window_restore_seconds', { source: this.name }, milliseconds / 1000);
      },
      clock: () => performance.now(),
    });
    this.#readers.set(name, reader);
    this.#logger.info('partition claimed', { source: this.name, hub, partition: partitionId });
    reader.begin();
  }

  #lost({ hub, partitionId }: PartitionOfHub): void {
    const name = partitionName(hub, partitionId);
    this.#readers.get(name)?.lose();
    this.#readers.delete(name);
    this.#logger.info('partition lost to another worker', { source: this.name, hub, partition: partitionId });
  }

  #count(incident: Incident, count: number): void {
    this.#metrics.count('aorta_source_incidents_total', { source: this.name, incident }, count);
  }

  #lookForPartitions(namespace: Namespace): void {
    for (const [hub, ends] of this.#ends) {
      ends.partitions().then(
        (ids) => {
          for (const partitionId of ids) {
            const name = partitionName(hub, partitionId);
            // A new partition was empty when this process began.
            if (!this.#partitions.has(name)) this.#partitions.set(name, { hub, partitionId, atStart: { begin: 0, end: 0 } });
          }
        },
        (error: unknown) =>
          this.#logger.debug('the partitions were not told', { namespace: namespace.host, hub, condition: conditionOf(error) }),
      );
    }
  }

  /** Asks the store, too: partitions of other workers are through when their checkpoints are. */
  #askWhetherThrough(namespace: Namespace, store: Checkpoints): void {
    const lists = [...this.#ends.keys()].map((hub) => within(5000, store.listCheckpoints(namespace.host, hub, namespace.group)));
    Promise.all(lists).then(
      (checkpoints) => {
        const next = checkpoints
          .flat()
          .map((one) => [partitionName(one.eventHubName, one.partitionId), one.sequenceNumber + 1] as const);
        this.#endIfThrough(new Map(next));
      },
      (error: unknown) => this.#logger.debug('checkpoints were not told', { condition: conditionOf(error) }),
    );
  }

  #endIfThrough(checkpoints: ReadonlyMap<string, number>): void {
    for (const [name, { atStart }] of this.#partitions) {
      if (atStart.end === atStart.begin) continue;
      const next = Math.max(this.#readers.get(name)?.taken ?? 0, checkpoints.get(name) ?? 0);
      if (next < atStart.end) return;
    }
    this.#handOver.end();
  }
}
