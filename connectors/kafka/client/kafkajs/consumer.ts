import { AortaError, errorFields, isAortaError, type Logger } from '@aorta/runtime';
import type { AssignedPartition, ConsumeOptions, KafkaConnection, KafkaConsumer, KafkaIncident } from '../client.ts';
import { KafkaError } from '../errors.ts';
import type { KafkajsAdmin } from './admin.ts';
import { atMost, CONNECT_MS, kafkaConfig, pause, REQUEST_MS, Sockets } from './connection.ts';
import { hasNoCoordinator, protocolError, reasonOf, setupError } from './library-errors.ts';
import { Member } from './member.ts';
import { library } from './workarounds.ts';

const RELEASE_MS = 10_000;
const SESSION_MS = 30_000;
const METADATA_AGE_MS = 180_000;
const LONGEST_HEARTBEAT_MS = 3_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;
const CHECK_EVERY_MS = 500;
/** Maximum time, in milliseconds, that a new member waits for the previous one to disconnect. */
const CLOSE_MS = 2_000;

/** Returns the topics to read, in alphabetical order: the named topics, and the existing topics that match a pattern. */
export function matchingTopics(
  names: readonly string[],
  patterns: readonly RegExp[],
  topics: readonly string[],
): readonly string[] {
  const found = topics.filter((topic) =>
    patterns.some((pattern) => {
      // A pattern with the flag g or y would continue after its last match.
      pattern.lastIndex = 0;
      return pattern.test(topic);
    }),
  );
  return [...new Set([...names, ...found])].sort();
}

/** Checks at regular intervals whether a member has been silent for too long. All times are in milliseconds of the same clock. */
export class Watchdog {
  readonly #limitMs: number;
  readonly #everyMs: number;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(limitMs: number, everyMs: number) {
    this.#limitMs = limitMs;
    this.#everyMs = everyMs;
  }

  /** Starts watching a new member. */
  start(now: number): void {
    this.#checkedAt = now;
  }

  /**
   * Returns `paused` if the last check was too long ago, which means that this process was paused. The caller then restarts
   * the measurement of silence.
   */
  check(now: number, silentMs: number): 'alive' | 'silent' | 'paused' {
    const missed = now - this.#checkedAt > 3 * this.#everyMs;
    this.#checkedAt = now;
    if (missed) return 'paused';
    return silentMs > this.#limitMs ? 'silent' : 'alive';
  }
}

/**
 * A consumer that stays in its group. If the library's consumer crashes or shows no sign of life, a new one replaces it. Only an
 * error that a person must fix ends the consumer.
 */
export class GroupConsumer implements KafkaConsumer {
  readonly #connection: KafkaConnection;
  readonly #admin: KafkajsAdmin;
  readonly #options: ConsumeOptions;
  readonly #logger: Logger;
  readonly #watchdog: Watchdog;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #joined = Promise.withResolvers<void>();
  #topics: readonly string[] = [];
  #member: Member | undefined;
  #isJoined = false;
  #pauseMs = FIRST_PAUSE_MS;
  #formerId: string | null = null;
  #stopped: Promise<void> | undefined;
  #failed = false;

  constructor(connection: KafkaConnection, admin: KafkajsAdmin, options: ConsumeOptions, logger: Logger) {
    this.#connection = connection;
    this.#admin = admin;
    this.#options = options;
    this.#logger = logger;
    this.#watchdog = new Watchdog(options.watchdogMs ?? 2 * this.#sessionMs, CHECK_EVERY_MS);
  }

  /** Resolves after the first assignment. Rejects if joining is impossible. */
  async start(): Promise<void> {
    try {
      this.#topics = await this.#currentTopics();
    } catch (error) {
      this.#close();
      throw error;
    }
    if (this.#topics.length === 0) this.#onJoined();
    else this.#startMember();
    this.#every(CHECK_EVERY_MS, () => this.#checkMember());
    const { topics, metadataAgeMs } = this.#options;
    if (topics.some((topic) => topic instanceof RegExp))
      this.#every(metadataAgeMs ?? METADATA_AGE_MS, () => void this.#refreshTopics());
    // Joining waits until the other members have released their partitions, and until the session of a vanished member expires.
    const patienceMs = this.#rebalanceMs + this.#sessionMs + 2 * (this.#connection.connectMs ?? CONNECT_MS);
    this.#after(patienceMs, () => {
      const [brokers, seconds] = [this.#connection.brokers.join(', '), patienceMs / 1000];
      if (!this.#isJoined)
        this.#fail(new KafkaError('AORTA-KAFKA-UNREACHABLE', { brokers, seconds, reason: 'joining the group' }));
    });
    await this.#joined.promise;
  }

  assigned(): readonly AssignedPartition[] {
    return this.#member?.assigned() ?? [];
  }

  async stop(): Promise<void> {
    this.#stopped ??= this.#leave();
    await this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #leave(): Promise<void> {
    this.#close();
    this.#joined.reject(new KafkaError('AORTA-KAFKA-FAILED', { doing: 'join the group', reason: 'stopped' }));
    await this.#member?.leave();
  }

  get #sessionMs(): number {
    return this.#options.sessionMs ?? SESSION_MS;
  }

  get #releaseMs(): number {
    return this.#options.releaseMs ?? RELEASE_MS;
  }

  /** Timeout for all members to rejoin. It is long enough for members that use all of `releaseMs`. */
  get #rebalanceMs(): number {
    return Math.max(this.#sessionMs, this.#releaseMs + 5_000);
  }

  #startMember(): void {
    const { Kafka } = library();
    const { group, metadataAgeMs, onAssigned, onBatch, onRelease } = this.#options;
    const sockets = new Sockets();
    const member = new Member(
      {
        // One instance per member, because the library shares a cache of committed offsets within an instance.
        kafka: new Kafka(kafkaConfig(this.#connection, sockets)),
        sockets,
        group,
        topics: this.#topics,
        sessionMs: this.#sessionMs,
        heartbeatMs: Math.min(LONGEST_HEARTBEAT_MS, Math.ceil(this.#sessionMs / 10)),
        releaseMs: this.#releaseMs,
        rebalanceMs: this.#rebalanceMs,
        metadataAgeMs: metadataAgeMs ?? METADATA_AGE_MS,
        requestMs: this.#connection.requestMs ?? REQUEST_MS,
        formerId: this.#formerId,
        logger: this.#logger,
      },
      {
        onAssigned,
        onBatch,
        onRelease,
        onJoined: () => this.#onJoined(),
        onIncident: (incident) => this.#incident(incident),
        onEnd: (error, isFinal) => void this.#ended(member, error, isFinal),
      },
    );
    this.#member = member;
    this.#watchdog.start(performance.now());
    void member.run();
  }

  #onJoined(): void {
    this.#formerId = null;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#isJoined = true;
    this.#joined.resolve();
  }

  /** Replaces a member that ended by itself, unless the error is permanent. */
  async #ended(member: Member, error: unknown, isFinal: boolean): Promise<void> {
    if (this.#closed || member !== this.#member) return;
    if (isFinal)
      return this.#fail(
        error instanceof Error ? error : new AortaError('AORTA-BUG', { place: 'the Kafka consumer', problem: typeof error }),
      );
    const failure = setupError(error) ?? (await this.#refusal(error)) ?? (await this.#missingTopic(error));
    if (this.#closed || member !== this.#member) return;
    if (failure !== undefined) return this.#fail(failure);
    this.#logger.warn('the Kafka consumer crashed and is replaced', { group: this.#options.group, reason: reasonOf(error) });
    this.#incident('crash');
    await this.#replaceMember(member);
  }

  async #replaceMember(before: Member): Promise<void> {
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    this.#member = undefined;
    await Promise.all([pause(pauseMs), atMost(CLOSE_MS, before.closed())]);
    if (this.#closed || this.#member !== undefined) return;
    this.#formerId = before.id ?? this.#formerId;
    this.#startMember();
  }

  async #refusal(error: unknown): Promise<Error | undefined> {
    if (!hasNoCoordinator(error)) return undefined;
    return await this.#admin.refusesGroup(this.#options.group).catch(() => undefined);
  }

  /** Returns an error if a topic was deleted. The error ends the consumer, because the topic does not come back by itself. */
  async #missingTopic(error: unknown): Promise<Error | undefined> {
    if (protocolError(error) !== 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
    try {
      this.#topics = await this.#currentTopics();
      return undefined;
    } catch (missing) {
      return isAortaError(missing) && missing.code === 'AORTA-KAFKA-TOPIC-MISSING' ? missing : undefined;
    }
  }

  async #currentTopics(): Promise<readonly string[]> {
    const names = this.#options.topics.filter((topic) => typeof topic === 'string');
    for (const topic of names)
      if (await this.#admin.isMissing(topic)) throw new KafkaError('AORTA-KAFKA-TOPIC-MISSING', { topic });
    const patterns = this.#options.topics.filter((topic) => topic instanceof RegExp);
    if (patterns.length === 0) return [...new Set(names)].sort();
    const topics = await this.#admin.topics();
    const left = this.#options.except?.(topics);
    return matchingTopics(
      names,
      patterns,
      topics.filter((topic) => left?.has(topic) !== true),
    );
  }

  /** Replaces the member if the matching topics have changed, because the library subscribes only once. */
  async #refreshTopics(): Promise<void> {
    const topics = await this.#currentTopics().catch((error: unknown) => {
      this.#logger.warn('the topics cannot be listed', { group: this.#options.group, ...errorFields(error) });
      return this.#topics;
    });
    if (this.#closed || topics.join() === this.#topics.join()) return;
    this.#logger.info('the matching topics have changed', { group: this.#options.group, topics: topics.length });
    this.#topics = topics;
    const before = this.#member;
    this.#member = undefined;
    await before?.leave();
    if (this.#closed || this.#member !== undefined) return;
    if (before !== undefined) this.#incident('rebalance');
    if (topics.length > 0) this.#startMember();
  }

  #checkMember(): void {
    const member = this.#member;
    if (member === undefined) return;
    const now = performance.now();
    const state = this.#watchdog.check(now, member.silentFor(now));
    if (state === 'paused') member.restartSilence(now);
    if (state !== 'silent') return;
    this.#logger.warn('the Kafka consumer is silent and is replaced', {
      group: this.#options.group,
      seconds: Math.round(member.silentFor(now) / 1000),
    });
    this.#incident('silence');
    member.replace();
    void this.#replaceMember(member);
  }

  #incident(incident: KafkaIncident): void {
    this.#options.onIncident?.(incident);
  }

  #fail(error: Error): void {
    if (this.#failed || this.#closed) return;
    this.#failed = true;
    const wasJoined = this.#isJoined;
    this.#close();
    this.#member?.abandon();
    if (wasJoined) this.#options.onFailure(error);
    else this.#joined.reject(error);
  }

  #closed = false;

  #close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers.clear();
    this.#joined.promise.catch(() => {});
  }

  #every(milliseconds: number, work: () => void): void {
    if (!this.#closed) this.#timers.add(setInterval(work, milliseconds));
  }

  #after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#closed) work();
    }, milliseconds);
    if (this.#closed) clearTimeout(timer);
    else this.#timers.add(timer);
  }
}
