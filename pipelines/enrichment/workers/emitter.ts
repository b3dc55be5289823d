import type { Delivery, StreamLog } from '@aorta/connectors';
import { steadyNow } from '@aorta/runtime';
import type { StreamName, StreamRecords } from '@aorta/schemas';

/** Data fetched from the service, in the form of an event. It is processed like a delivery. */
export interface FetchedEvent {
  /** Begins with `service.`, so that the event has a route. */
  readonly eventType: string;
  /** Null if the data concerns the whole team. */
  readonly userId: string | null;
  readonly teamId?: string | null;
  /** Numbers that a double cannot represent are kept as the service wrote them. */
  readonly data: unknown;
  /** Time that the service reported in its response, in microseconds since 1970. */
  readonly servedAt: number;
}

/** Accepts deliveries in the same form as those from a source. Routes them, and turns unreadable deliveries into dead letters. */
export interface DeliveryIntake {
  /** Resolves when the caller can pass more deliveries. */
  take(deliveries: readonly Delivery[]): Promise<void>;
  /** Resolves when all accepted deliveries are durable. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface EmitterOptions {
  /** Name of the source in receipts. */
  readonly source: string;
  /**
   * Name of the partition in receipts. Processes that can own the same job must have different names, because two owners may
   * emit in the same millisecond. Default: `0`.
   */
  readonly partition?: string;
  readonly log: Pick<StreamLog, 'append' | 'flush'>;
  /** Called when the first event is emitted. */
  readonly openIntake: () => DeliveryIntake;
  /** Default: `steadyNow`. */
  readonly now?: () => number;
}

/** Appends a worker's fetched and derived data to the streams. */
export class Emitter {
  readonly #options: EmitterOptions;
  readonly #now: () => number;
  #intake: DeliveryIntake | undefined;
  /** Whether some emitted records may not be durable yet. */
  #pending = false;
  #offset = 0;

  constructor(options: EmitterOptions) {
    this.#options = options;
    this.#now = options.now ?? steadyNow;
  }

  /** Offset of the last event. The worker saves it, and passes it to {@link resume} after a restart. */
  get offset(): number {
    return this.#offset;
  }

  resume(offset: number): void {
    this.#offset = offset;
  }

  /** Emits events. Resolves when the caller can emit more. If the loader is behind, this may take until it has caught up. */
  async event(...events: readonly FetchedEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.#pending = true;
    this.#intake ??= this.#options.openIntake();
    await this.#intake.take(events.map((event) => this.#delivery(event)));
  }

  /** Emits a record to a stream whose records are not events. */
  record<S extends StreamName>(stream: S, record: StreamRecords[S]): void {
    this.#pending = true;
    this.#options.log.append(stream, record);
  }

  /** Resolves when all emitted records are durable. */
  async durable(): Promise<void> {
    if (!this.#pending) return;
    this.#pending = false;
    await (this.#intake === undefined ? this.#options.log.flush() : this.#intake.settle());
  }

  async close(): Promise<void> {
    await this.#intake?.close();
  }

  /** Derives the offset from the clock, so that no process reuses offsets that a crashed process did not save. */
  #delivery({ eventType, userId, teamId = null, data, servedAt }: FetchedEvent): Delivery {
    this.#offset = Math.max(this.#offset + 1, this.#now() * 1000);
    return {
      source: this.#options.source,
      partition: this.#options.partition ?? '0',
      offset: this.#offset,
      receivedAt: servedAt,
      headers: new Map(),
      key: userId === null ? null : Buffer.from(userId),
      body: Buffer.from(
        JSON.stringify({
          event_type: eventType,
          team_id: teamId ?? undefined,
          user_id: userId ?? undefined,
          data,
        }),
      ),
      inline: false,
    };
  }
}

/** Opens an emitter for one run of a job. `source`: name of the source in receipts. */
export type OpenEmitter = (source: string) => Emitter;
