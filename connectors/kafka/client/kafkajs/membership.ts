import { DeadlinePassed, type Logger, whenAborted, within } from '@aorta/runtime';
import type { ConsumeOptions, KafkaIncident, TopicPartition } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { Assignment, Generation, type Partition, type PartitionOwner, retrySettling, startOf } from './assignment.ts';
import { pause } from './connection.ts';
import type { Cluster, ConsumerGroup, OffsetManager } from './internals.ts';
import { isMembershipOver, isRefusedCommit, type MemberOver, reasonOf } from './library-errors.ts';

const TRIES = 3;
const PAUSE_MS = 150;

export interface MembershipSettings {
  readonly group: string;
  readonly sessionMs: number;
  readonly releaseMs: number;
  readonly rebalanceMs: number;
  readonly requestMs: number;
  /**
   * Member id of a predecessor that ended without leaving. Without this id, the broker would wait until the predecessor's
   * session expires.
   */
  readonly formerId: string | null;
  readonly logger: Logger;
}

export interface MembershipEvents extends Pick<ConsumeOptions, 'onAssigned' | 'onRelease'> {
  /** Called when partitions are assigned and their start offsets are known. */
  readonly onJoined: () => void;
  readonly onIncident: (incident: KafkaIncident) => void;
}

/** Lets the parts of a member end the member and check whether it has ended. */
export interface MemberLife {
  /** Whether the member has ended or is leaving. */
  readonly isOver: () => boolean;
  /** Throws {@link MemberOver} if the member has ended or is leaving. */
  readonly throwIfOver: () => void;
  /** Ends the member. If the error is {@link Final}, no new member replaces it. Returns an error for the caller to throw. */
  readonly end: (error: unknown) => MemberOver;
}

/**
 * Timeout in milliseconds for the broker's answer when the member asks, before a release, whether its partitions are still
 * assigned.
 */
const HEARTBEAT_ANSWER_MS = 1_000;

/**
 * The membership of one member in its group, across generations. It joins, takes over partitions, commits their offsets and
 * releases them.
 */
export class Membership implements PartitionOwner {
  readonly liveness: Liveness;
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
    this.liveness = new Liveness(settings.rebalanceMs);
    const { group, requestMs } = settings;
    this.#commits = new Commits({ group, requestMs, onFailed: () => events.onIncident('commit') });
  }

  /** The library's group; undefined before the first join. */
  get group(): ConsumerGroup | undefined {
    return this.#group;
  }

  get generation(): Generation {
    return this.#generation;
  }

  /** Joins or rejoins the group and takes over the assigned partitions. If it rejects, the error ends the library's consumer. */
  async onJoin(group: ConsumerGroup, join: () => Promise<void>): Promise<void> {
    // The library runs one fetch loop per broker, and several of these loops may notice the same rebalance.
    this.#rejoining ??= this.#rejoin(group, join).finally(() => {
      this.#rejoining = undefined;
    });
    await this.#rejoining;
  }

  /** Lets `onRelease` make records durable and commit their offsets, then releases the partitions. Never rejects. */
  async release(group: ConsumerGroup): Promise<void> {
    const generation = this.#generation;
    await generation.release(() => this.#releasePartitions(group, generation));
  }

  /** Marks the assigned partitions as lost: nothing more is committed or delivered. */
  lose(): void {
    this.#generation.lose();
  }

  /**
   * Sends a heartbeat and returns the broker's answer. The library also sends heartbeats, but not while it waits for our
   * callbacks.
   */
  async heartbeat(patienceMs = this.#settings.sessionMs): Promise<'ours' | 'over' | 'unknown'> {
    const group = this.#group;
    const generation = this.#generation;
    if (group === undefined || generation.offsets === undefined || this.liveness.isJoining) return 'unknown';
    const sentAt = performance.now();
    const answer = await sendHeartbeat(group, patienceMs);
    if (answer === 'unknown') return 'unknown';
    if (answer === 'over') {
      if (generation === this.#generation) generation.lose();
      return 'over';
    }
    if (answer === 'rebalancing' && this.#generation.assigned().length === 0) generation.end();
    this.liveness.recordConfirmation(sentAt);
    this.liveness.recordActivity();
    return 'ours';
  }

  pause({ topic, partition }: TopicPartition): void {
    this.#group?.pause([{ topic, partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    this.#group?.resume([{ topic, partitions: [partition] }]);
  }

  async commit(partition: Partition, next: number, note?: string): Promise<boolean> {
    // Commits in the generation in which the partition was assigned, because the broker refuses commits from other generations.
    const through = { cluster: this.#group!.cluster, offsets: this.#generation.offsets! };
    return await this.#commits.commit(through, partition, next, note);
  }

  async #rejoin(group: ConsumerGroup, join: () => Promise<void>): Promise<void> {
    const { throwIfOver, end } = this.#life;
    try {
      throwIfOver();
      this.#group = group;
      const again = this.#generation.offsets !== undefined;
      if (again) await this.release(group);
      else group.memberId ??= this.#settings.formerId;
      throwIfOver();
      await this.liveness.duringJoin(() => retrySettling(join, throwIfOver));
      throwIfOver();
      if (again) this.#events.onIncident('rebalance');
      await this.#assign(group);
    } catch (error) {
      // After a partial join no member would read the partitions, so this member ends and a new one joins.
      throw end(error);
    }
  }

  async #releasePartitions(group: ConsumerGroup, generation: Generation): Promise<void> {
    const { releaseMs, logger } = this.#settings;
    const held = generation.assigned();
    if (held.length > 0 && group.memberId !== null && (await this.heartbeat(HEARTBEAT_ANSWER_MS)) !== 'over') {
      const released = (async () => {
        await this.#events.onRelease?.(held);
        await this.#commits.settled();
      })();
      try {
        await within(releaseMs, Promise.race([released, whenAborted(generation.over)]));
      } catch (error) {
        const reason = error instanceof DeadlinePassed ? 'late' : 'failed';
        logger.warn('the release of partitions did not finish', { group: this.#settings.group, partitions: held.length, reason });
      }
    }
    this.lose();
  }

  /** Creates an object for each assigned partition, asks for the start offsets and seeks to them. */
  async #assign(group: ConsumerGroup): Promise<void> {
    const { throwIfOver } = this.#life;
    const generation = new Generation(group.offsetManager);
    this.#generation = generation;
    const assignment = new Assignment(group, this, throwIfOver);
    const partitions = await assignment.partitions();
    generation.assign(partitions);
    const asked = Promise.all(partitions.map((partition) => startOf(partition, this.#events.onAssigned)));
    asked.catch(() => {});
    const starts = await Promise.race([asked, whenAborted(generation.over)]);
    throwIfOver();
    // The group is already in a later generation. The library notices this at its next heartbeat and joins again.
    if (starts === undefined) return this.lose();
    await assignment.seek(starts);
    throwIfOver();
    if (generation.over.aborted) return;
    for (const [partition, next] of starts) partition.startAt(next);
    this.#events.onJoined();
  }
}

/**
 * Tracks a member's last sign of life and the broker's last confirmation of its membership. Times are those of
 * `performance.now`.
 */
class Liveness {
  readonly #rebalanceMs: number;
  #activeAt = performance.now();
  /** Send time of the last heartbeat that the broker accepted. */
  #confirmedAt = performance.now();
  #joiningSince: number | undefined;

  /** `rebalanceMs` is the maximum duration of a join. Silence is normal during a join. */
  constructor(rebalanceMs: number) {
    this.#rebalanceMs = rebalanceMs;
  }

  get isJoining(): boolean {
    return this.#joiningSince !== undefined;
  }

  recordActivity(): void {
    this.#activeAt = performance.now();
  }

  /** Records that the broker accepted a heartbeat sent at `sentAt`. */
  recordConfirmation(sentAt: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
  }

  /** Restarts the measurement of silence at `now`, because this process was paused. */
  restartSilence(now: number): void {
    this.#activeAt = now;
  }

  /** Runs `join`. If it succeeds, it counts as a sign of life. */
  async duringJoin(join: () => Promise<void>): Promise<void> {
    this.#joiningSince = performance.now();
    try {
      await join();
    } finally {
      this.#joiningSince = undefined;
    }
    this.recordActivity();
    this.#confirmedAt = performance.now();
  }

  silentFor(now: number): number {
    const since = Math.max(this.#activeAt, this.#joiningSince === undefined ? 0 : this.#joiningSince + this.#rebalanceMs);
    return now - since;
  }

  /** Milliseconds since the broker last confirmed the membership. */
  unconfirmedFor(now: number): number {
    return now - this.#confirmedAt;
  }
}

/**
 * Sends a heartbeat and returns the broker's answer. `ours`: the partitions are still assigned to this member. `rebalancing`:
 * they are still assigned, but the group waits for this member to rejoin. `over`: this member is no longer in the group.
 * `unknown`: the broker did not answer within `patienceMs`.
 */
async function sendHeartbeat(group: ConsumerGroup, patienceMs: number): Promise<'ours' | 'rebalancing' | 'over' | 'unknown'> {
  const { coordinator, groupId, memberId, generationId } = group;
  if (memberId === null || !coordinator.isConnected()) return 'unknown';
  try {
    await within(patienceMs, coordinator.heartbeat({ groupId, memberId, groupGenerationId: generationId }));
    return 'ours';
  } catch (error) {
    if (isMembershipOver(error)) return 'over';
    // The broker accepts the heartbeat and asks for a rejoin, which may wait until we have released our partitions.
    return isRefusedCommit(error) ? 'rebalancing' : 'unknown';
  }
}

interface CommitSettings {
  readonly group: string;
  /** Timeout of one request to the broker, in milliseconds. */
  readonly requestMs: number;
  /** Called when a commit has failed after all retries. */
  readonly onFailed: () => void;
}

/** The cluster, and the offset manager of the generation to commit in. */
interface CommitRoute {
  readonly cluster: Cluster;
  readonly offsets: OffsetManager;
}

/** Commits offsets of one member and tracks the running commits. */
class Commits {
  readonly #settings: CommitSettings;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(settings: CommitSettings) {
    this.#settings = settings;
  }

  /**
   * Commits the next offset to read, as a member of the generation that `through` belongs to. Returns false if the broker refuses
   * because the member no longer owns the partition or a rebalance is running. Rejects with AORTA-KAFKA-COMMIT if all attempts
   * fail.
   */
  async commit(through: CommitRoute, partition: Partition, next: number, note?: string): Promise<boolean> {
    const work = this.#commit(through, partition, next, note);
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  /** Waits for the commits that are running now. Never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  async #commit(
    { cluster, offsets }: CommitRoute,
    { topic, partition, lost }: Partition,
    next: number,
    note?: string,
  ): Promise<boolean> {
    const wanted = {
      topics: [{ topic, partitions: [{ partition, offset: String(next), metadata: note }] }],
    };
    for (let tries = 1; ; tries += 1) {
      try {
        await within(this.#settings.requestMs, offsets.commitOffsets(wanted));
        return true;
      } catch (error) {
        if (isRefusedCommit(error)) return false;
        if (tries === TRIES || lost.aborted || error instanceof DeadlinePassed) {
          if (!lost.aborted) this.#settings.onFailed();
          throw new KafkaError('AORTA-KAFKA-COMMIT', { topic, partition, reason: reasonOf(error) });
        }
        await pause(PAUSE_MS * tries);
        await this.#findCoordinator(cluster, offsets);
      }
    }
  }

  async #findCoordinator(cluster: Cluster, offsets: OffsetManager): Promise<void> {
    try {
      offsets.coordinator = await cluster.findGroupCoordinator({ groupId: this.#settings.group });
    } catch {
      // The next attempt reports the error.
    }
  }
}
