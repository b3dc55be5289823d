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

/** A delivery as the consumer takes them (`pipelines/consumers/delivery.ts`). */
export interface FetchedDelivery {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
  readonly receivedAt: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly key: Buffer | null;
  readonly body: Buffer;
  readonly inline: boolean;
}

/** Some fetched deliveries; the position behind them is committed when they are durable. */
export interface FetchedBatch<Position> {
  readonly deliveries: readonly FetchedDelivery[];
  readonly position: Position;
  readonly awaited?: true;
}

/**
 * A job that fetches. To the consumer it is a source like the others: what it gives goes into its stream first, and its
 * own memory of what was done follows by `commit`, once that is durable.
 */
export interface FetchingJob<Position = unknown> {
  readonly name: string;
  batches(signal: AbortSignal): AsyncIterable<FetchedBatch<Position>>;
  commit(positions: readonly Position[]): Promise<void>;
  /** Gives up what it holds of others; nothing is written down where it is another worker's by now. */
  close(lost?: boolean): Promise<void>;
}

/** Makes the deliveries of a job, whose offsets ascend over all of its lives. */
export class FetchedDeliveries {
  readonly #source: string;
  readonly #now: () => number;
  #last: number;

  /** `last` is the highest offset that was given before. */
  constructor(source: string, last: number, now: () => number = Date.now) {
    this.#source = source;
    this.#last = last;
    this.#now = now;
  }

  get last(): number {
    return this.#last;
  }

  /** A process that ended before its last offsets were written down does not give them again: time went on. */
  make({ eventType, userId, teamId = null, data, servedAt }: FetchedEvent): FetchedDelivery {
    this.#last = Math.max(this.#last + 1, this.#now() * 1000);
    return {
      source: this.#source,
      partition: '0',
      offset: this.#last,
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
