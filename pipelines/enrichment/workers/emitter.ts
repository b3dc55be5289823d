import type { Delivery, StreamLog } from '@aorta/connectors';
import type { StreamName, StreamRecords } from '@aorta/schemas';

/** What was fetched from the service, as an event of Aorta's own: it takes the way of all deliveries. */
export interface FetchedEvent {
  /** Begins with `service.`, and is routed by that. */
  readonly eventType: string;
  /** None of what belongs to the whole team. */
  readonly userId: string | null;
  readonly teamId?: string | null;
  /** Numbers that no double holds are written as the service spelled them. */
  readonly data: unknown;
  /** The service's own time of the answer, in microseconds since 1970. */
  readonly servedAt: number;
}

/** Takes deliveries in as it does those of sources: routed, and what cannot be read becomes a dead letter. */
export interface DeliveryIntake {
  /** Resolves when more may come. */
  take(deliveries: readonly Delivery[]): Promise<void>;
  /** Resolves when everything taken is durable. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface EmitterOptions {
  /** Name in the receipts of events. */
  readonly source: string;
  /** Where records are appended. */
  readonly log: Pick<StreamLog, 'append' | 'flush'>;
  /** Opened with the first event. */
  readonly openIntake: () => DeliveryIntake;
  readonly now?: () => number;
}

/** What a worker found, on its way into the streams. */
export class Emitter {
  readonly #options: EmitterOptions;
  readonly #now: () => number;
  #intake: DeliveryIntake | undefined;
  /** Something was emitted that may not be durable. */
  #pending = false;
  #offset = 0;

  constructor(options: EmitterOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** The offset of the last event. The offsets of a source go up over all lives: a worker remembers it, and sets it at its beginning. */
  get offset(): number {
    return this.#offset;
  }

  resume(offset: number): void {
    this.#offset = offset;
  }

  /** Emits events. Resolves when more may come; the loader may be behind. */
  async event(...events: readonly FetchedEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.#pending = true;
    this.#intake ??= this.#options.openIntake();
    await this.#intake.take(events.map((event) => this.#delivery(event)));
  }

  /** Emits a record of a stream that holds no events. */
  record<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#pending = true;
    this.#options.log.append(stream, record);
  }

  /** Resolves when everything emitted so far is durable. */
  async durable(): Promise<void> {
    if (!this.#pending) return;
    this.#pending = false;
    await (this.#intake === undefined ? this.#options.log.flush() : this.#intake.settle());
  }

  async close(): Promise<void> {
    await this.#intake?.close();
  }

  /** A process that ended before its last offsets were kept does not give them again: time went on. */
  #delivery({ eventType, userId, teamId = null, data, servedAt }: FetchedEvent): Delivery {
    this.#offset = Math.max(this.#offset + 1, this.#now() * 1000);
    return {
      source: this.#options.source,
      partition: '0',
      offset: this.#offset,
      receivedAt: servedAt,
      headers: new Map(),
      key: userId === null ? null : Buffer.from(userId),
      body: Buffer.from(
        JSON.stringify({
          event_type: eventType,
          ...(teamId === null ? {} : { team_id: teamId }),
          ...(userId === null ? {} : { user_id: userId }),
          data,
        }),
      ),
      inline: false,
    };
  }
}

/** Opens the emitter of a source, for one life. */
export type OpenEmitter = (source: string) => Emitter;
