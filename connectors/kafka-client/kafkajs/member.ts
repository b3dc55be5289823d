import type { Logger } from '@aorta/runtime';
import type { Consumer } from 'kafkajs';
import type { ConsumeOptions } from '../client.ts';
import { Fetching } from './fetching.ts';
import type { Cluster } from './internals.ts';
import { createLibraryConsumer, type LibraryConsumerSettings } from './library-consumer.ts';
import { Final, type MemberLife, MemberOver } from './member-end.ts';
import { Membership, type MembershipEvents, type MembershipSettings } from './membership.ts';
import { part } from './parting.ts';
import type { Partition } from './partition.ts';
import type { Sockets } from './sockets.ts';

/** Settings of a group member. Times are in milliseconds. */
export interface MemberSettings extends LibraryConsumerSettings, MembershipSettings {
  /** The sockets that `kafka` opens. */
  readonly sockets: Sockets;
  /** Topic names. The list must not be empty. */
  readonly topics: readonly string[];
  readonly logger: Logger;
}

export interface MemberEvents extends MembershipEvents, Pick<ConsumeOptions, 'onBatch'> {
  /**
   * Called once when the member ends without a call to {@link Member.leave}. If `isFinal` is true, a new member would fail in
   * the same way.
   */
  readonly onEnd: (error: unknown, isFinal: boolean) => void;
}

/** One member of a group, with its own kafkajs consumer. After it ends, {@link GroupConsumer} creates a new member. */
export class Member {
  readonly #settings: MemberSettings;
  readonly #onEnd: MemberEvents['onEnd'];
  readonly #membership: Membership;
  readonly #fetching: Fetching;
  #consumer: Consumer | undefined;
  #cluster: Cluster | undefined;
  #heart: NodeJS.Timeout | undefined;
  #parting: Promise<void> | undefined;
  #ended = false;
  #leaving = false;

  constructor(settings: MemberSettings, events: MemberEvents) {
    this.#settings = settings;
    this.#onEnd = events.onEnd;
    const life: MemberLife = {
      isOver: () => this.#ended || this.#leaving,
      mustGoOn: () => this.#mustGoOn(),
      end: (error) => this.#end(error),
    };
    this.#membership = new Membership(settings, events, life);
    this.#fetching = new Fetching(this.#membership, { onBatch: events.onBatch, sessionMs: settings.sessionMs }, life);
  }

  /** Joins the group and starts to read. `onEnd` reports when the member ends. */
  async run(): Promise<void> {
    const { topics, heartbeatMs } = this.#settings;
    const [membership, fetching] = [this.#membership, this.#fetching];
    const consumer = createLibraryConsumer(this.#settings, {
      keeper: {
        joining: (group, join) => membership.joining(group, join),
        fetching: (group, fetch) => fetching.fetching(group, fetch),
        outOfRange: (group, at) => fetching.outOfRange(group, at),
      },
      onCluster: (cluster) => {
        this.#cluster = cluster;
      },
      mayJoin: () => this.#mustGoOn(),
    });
    this.#consumer = consumer;
    const heard = (): void => membership.pulse.heard();
    consumer.on(consumer.events.FETCH, heard);
    consumer.on(consumer.events.HEARTBEAT, heard);
    consumer.on(consumer.events.CRASH, ({ payload }) => this.#end(payload.error));
    this.#heart = setInterval(() => void membership.beat(), heartbeatMs);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: [...topics], fromBeginning: true });
      this.#mustGoOn();
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => {} });
    } catch (error) {
      this.#end(error);
    }
  }

  assigned(): readonly Partition[] {
    return this.#membership.generation.assigned();
  }

  /** Milliseconds since the last sign of life. While the member is joining, silence counts only after `rebalanceMs`. */
  silentFor(now: number): number {
    return this.#membership.pulse.silentFor(now);
  }

  excuse(now: number): void {
    this.#membership.pulse.excuse(now);
  }

  /** Releases the partitions and leaves the group. Never rejects. */
  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    const { group } = this.#membership;
    if (group !== undefined && !this.#ended) await this.#membership.release(group);
    this.abandon();
    await this.parted();
  }

  /** Ends the member at once, without a final commit, and leaves the group. Late batches are dropped. */
  abandon(): void {
    this.#leaving = true;
    this.#stop(true);
  }

  /** Ends the member like {@link abandon}, but without leaving the group, because a new member takes over its id. */
  replace(): void {
    this.#stop(false);
  }

  /** Waits until all resources are released. Never rejects, and has a deadline. */
  async parted(): Promise<void> {
    await this.#parting;
  }

  /** The member id that the broker assigned; null if there is none. */
  get id(): string | null {
    return this.#membership.group?.memberId ?? null;
  }

  #mustGoOn(): void {
    if (this.#ended || this.#leaving) throw new MemberOver();
  }

  /** Ends the member and returns an error for the caller to throw. It stops the library's consumer. */
  #end(error: unknown): MemberOver {
    if (this.#ended) return new MemberOver();
    this.#ended = true;
    clearInterval(this.#heart);
    this.#membership.lose();
    const isFinal = error instanceof Final;
    if (!this.#leaving) this.#onEnd(isFinal ? error.cause : error, isFinal);
    this.#parting ??= this.#part(isFinal || this.#leaving);
    return new MemberOver();
  }

  #stop(leaves: boolean): void {
    this.#ended = true;
    this.#membership.lose();
    clearInterval(this.#heart);
    this.#parting ??= this.#part(leaves);
  }

  async #part(leaves: boolean): Promise<void> {
    const consumer = this.#consumer;
    if (consumer === undefined) return;
    await part({ consumer, group: this.#membership.group, cluster: this.#cluster, leaves });
    this.#settings.sockets.end();
  }
}
