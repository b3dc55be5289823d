import { DeadlinePassed, type Logger, whenAborted, within } from '@aorta/runtime';
import type { ConsumeOptions, KafkaIncident, TopicPartition } from '../client.ts';
import { Assigning, patiently, startOf } from './assigning.ts';
import { Commits } from './commits.ts';
import { Generation } from './generation.ts';
import type { ConsumerGroup } from './internals.ts';
import type { MemberLife } from './member-end.ts';
import type { Partition, PartitionOwner } from './partition.ts';
import { beat, Pulse } from './pulse.ts';

export interface MembershipSettings {
  readonly group: string;
  readonly sessionMs: number;
  readonly releaseMs: number;
  readonly rebalanceMs: number;
  readonly requestMs: number;
  /** As the broker called the member before, which ended without leaving: it would wait for that one until its session ends. */
  readonly formerId: string | null;
  readonly logger: Logger;
}

export interface MembershipEvents extends Pick<ConsumeOptions, 'onAssigned' | 'onRelease'> {
  /** Partitions were assigned, and it is known where each begins. */
  readonly onJoined: () => void;
  readonly onIncident: (incident: KafkaIncident) => void;
}

/** Whether a partition is still ours is asked for so long before it is given back, in milliseconds. */
const ASKING_MS = 1_000;

/** A member's place in its group, generation after generation: joins, takes partitions over, commits in them, gives them back. */
export class Membership implements PartitionOwner {
  readonly pulse: Pulse;
  readonly #settings: MembershipSettings;
  readonly #events: MembershipEvents;
  readonly #life: MemberLife;
  readonly #commits: Commits;
  #group: ConsumerGroup | undefined;
  #generation = new Generation();
  #rejoining: Promise<void> | undefined;

  constructor(settings: MembershipSettings, events: MembershipEvents, life: MemberLife) {
    this.#settings = settings;
    this.#events = events;
    this.#life = life;
    this.pulse = new Pulse(settings.rebalanceMs);
    const { group, requestMs } = settings;
    this.#commits = new Commits({ group, requestMs, onFailed: () => events.onIncident('commit') });
  }

  /** The library's group; undefined before it is first joined. */
  get group(): ConsumerGroup | undefined {
    return this.#group;
  }

  get generation(): Generation {
    return this.#generation;
  }

  /** Joins, for the first time or again, and takes over what is assigned. Rejects with the error that ends the library's consumer. */
  async joining(group: ConsumerGroup, join: () => Promise<void>): Promise<void> {
    // Two readers, of two brokers, may notice the same rebalance.
    this.#rejoining ??= this.#rejoin(group, join).finally(() => {
      this.#rejoining = undefined;
    });
    await this.#rejoining;
  }

  /** The last moment of a generation: what is held may be made durable and committed. Never rejects. */
  async release(group: ConsumerGroup): Promise<void> {
    const generation = this.#generation;
    await generation.release(() => this.#giveBack(group, generation));
  }

  /** Nothing is committed or handed over any more of what was assigned. */
  lose(): void {
    this.#generation.lose();
  }

  /** A sign of life to the broker, and what it said. The library sends some, too, but none while it waits for us. */
  async beat(patienceMs = this.#settings.sessionMs): Promise<'ours' | 'over' | 'unknown'> {
    const group = this.#group;
    const generation = this.#generation;
    if (group === undefined || generation.offsets === undefined || this.pulse.isJoining) return 'unknown';
    const sentAt = Date.now();
    const answer = await beat(group, patienceMs);
    if (answer === 'unknown') return 'unknown';
    if (answer === 'over') {
      if (generation === this.#generation) generation.lose();
      return 'over';
    }
    if (answer === 'rebalancing' && this.#generation.assigned().length === 0) generation.end();
    this.pulse.confirmed(sentAt);
    this.pulse.heard();
    return 'ours';
  }

  pause({ topic, partition }: TopicPartition): void {
    this.#group?.pause([{ topic, partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    this.#group?.resume([{ topic, partitions: [partition] }]);
  }

  async commit(partition: Partition, next: number, note?: string): Promise<boolean> {
    // Of the generation in which the partition was assigned: a commit of another one is refused by the broker.
    const through = { cluster: this.#group!.cluster, offsets: this.#generation.offsets! };
    return await this.#commits.commit(through, partition, next, note);
  }

  async #rejoin(group: ConsumerGroup, join: () => Promise<void>): Promise<void> {
    const { mustGoOn, end } = this.#life;
    try {
      mustGoOn();
      this.#group = group;
      const again = this.#generation.offsets !== undefined;
      if (again) await this.release(group);
      else group.memberId ??= this.#settings.formerId;
      mustGoOn();
      await this.pulse.during(() => patiently(join, mustGoOn));
      mustGoOn();
      if (again) this.#events.onIncident('rebalance');
      await this.#assign(group);
    } catch (error) {
      // A group that was joined by half is read by nobody: better another member than none.
      throw end(error);
    }
  }

  async #giveBack(group: ConsumerGroup, generation: Generation): Promise<void> {
    const { releaseMs, logger } = this.#settings;
    const held = generation.assigned();
    if (held.length > 0 && group.memberId !== null && (await this.beat(ASKING_MS)) !== 'over') {
      const released = (async () => {
        await this.#events.onRelease?.(held);
        await this.#commits.settled();
      })();
      try {
        await within(releaseMs, Promise.race([released, whenAborted(generation.over)]));
      } catch (error) {
        const reason = error instanceof DeadlinePassed ? 'late' : 'failed';
        logger.warn('kafka_release', { group: this.#settings.group, partitions: held.length, reason });
      }
    }
    this.lose();
  }

  /** Tells who was assigned what, and lets each partition be read from where it begins. */
  async #assign(group: ConsumerGroup): Promise<void> {
    const { mustGoOn } = this.#life;
    const generation = new Generation(group.offsetManager);
    this.#generation = generation;
    const assigning = new Assigning({ cluster: group.cluster, group, owner: this, mustGoOn });
    const partitions = await assigning.partitions();
    generation.give(partitions);
    const begun = Promise.all(partitions.map((partition) => startOf(partition, this.#events.onAssigned)));
    begun.catch(() => {});
    const starts = await Promise.race([begun, whenAborted(generation.over)]);
    mustGoOn();
    // It took so long that the group has gone on: the library hears of that by its next heartbeat, and joins again.
    if (starts === undefined) return this.lose();
    await assigning.seek(starts);
    mustGoOn();
    if (generation.over.aborted) return;
    for (const [partition, next] of starts) partition.begin(next);
    this.#events.onJoined();
  }
}
