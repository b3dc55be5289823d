import { createRequire } from 'node:module';
import type {
  Authenticator,
  ConsumerGroup,
  FetchedBatch,
  Library,
  LibraryConnection,
  RequestQueue,
  Runner,
} from './internals.ts';
import { protocolError } from './library-errors.ts';
import { registerCodecs, replaceRecordFormat } from './records.ts';
import { measureWithoutSystemClock } from './steady-library.ts';

const require = createRequire(import.meta.url);
const hooksByAssigner = new WeakMap<object, GroupHooks>();

let loaded: Library | undefined;

/** Returns kafkajs with all workarounds and codecs. Loads it on first use, so that processes without Kafka never load it. */
export function library(): Library {
  if (loaded !== undefined) return loaded;
  applyWorkarounds();
  const kafkajs = require('kafkajs') as Library;
  registerCodecs(kafkajs);
  loaded = kafkajs;
  return kafkajs;
}

let isApplied = false;

/**
 * Applies workarounds for faults of kafkajs that no setting can avoid. They replace its methods in this process only, and work
 * even if other code loaded kafkajs before. A second call does nothing.
 */
function applyWorkarounds(): void {
  if (isApplied) return;
  isApplied = true;
  measureWithoutSystemClock();
  avoidIdleTimers();
  ignoreDestroyedSockets();
  reportLostLogins();
  endStoppedFetchers();
  hookGroups();
  replaceRecordFormat();
}

/**
 * Sets a timer only while requests are pending (every 10 ms) or throttled (until the throttling ends). Without this workaround,
 * an idle connection sets thousands of timers per second, each with a negative delay. These timers use 5 % of a CPU core, and
 * Node warns about them.
 */
function avoidIdleTimers(): void {
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.throttleCheckTimeoutId !== null) return;
    const throttledMs = this.throttledUntil - performance.now();
    if (throttledMs <= 0 && this.pending.length === 0) return;
    const check = (): void => {
      this.throttleCheckTimeoutId = null;
      this.checkPendingRequests();
    };
    this.throttleCheckTimeoutId = setTimeout(check, throttledMs > 0 ? throttledMs : 10);
  };
}

/**
 * Prevents a listener leak. Disconnecting from an unreachable broker calls `unref` on a destroyed socket repeatedly. Each call
 * waits for a connection that never comes, and after the tenth call, Node warns of a leak.
 */
function ignoreDestroyedSockets(): void {
  const { prototype } = require('kafkajs/src/network/connection') as { prototype: LibraryConnection };
  const { disconnect } = prototype;
  prototype.disconnect = async function (this: LibraryConnection) {
    const { socket } = this;
    if (socket?.destroyed) socket.unref = () => socket;
    return disconnect.call(this);
  };
}

/**
 * Distinguishes lost connections from refused logins. kafkajs reports every failure during a login as a refusal, which would look
 * like a wrong password and prevent retries. Only a response from the broker is a refusal.
 */
function reportLostLogins(): void {
  const { prototype } = require('kafkajs/src/broker/saslAuthenticator') as { prototype: Authenticator };
  const { authenticate } = prototype;
  prototype.authenticate = async function (this: Authenticator) {
    const { connection } = this;
    let failure: unknown;
    const send: LibraryConnection['send'] = async (request) => {
      try {
        return await connection.send(request);
      } catch (error) {
        failure = error;
        throw error;
      }
    };
    this.connection = Object.create(connection, { send: { value: send } }) as LibraryConnection;
    try {
      await authenticate.call(this);
    } catch (error) {
      throw failure !== undefined && protocolError(failure) === undefined ? failure : error;
    }
  };
}

/**
 * Ends fetch loops that the library starts after a consumer has stopped. If the set of brokers changes, the library ends the
 * loops of all brokers, waits until their running fetches return, and starts new loops. It starts them even if the consumer stops
 * during the wait. Such a loop fetches nothing and never yields to the event loop. The process then hangs at full CPU, and only
 * SIGKILL ends it. tulios/kafkajs#1384 describes the same kind of loop for a consumer that knows no broker.
 */
function endStoppedFetchers(): void {
  const { prototype } = require('kafkajs/src/consumer/runner') as { prototype: Runner };
  const { fetch } = prototype;
  prototype.fetch = function (this: Runner, nodeId) {
    // Does not wait, because the loop that makes this call must end first.
    if (!this.running) void this.fetchManager.stop();
    return fetch.call(this, nodeId);
  };
}

/** Hooks into a consumer's group, called before the library takes an irreversible step. */
export interface GroupHooks {
  /**
   * Called when the library joins or rejoins the group. Calling `join` performs the join. The library fetches only after the
   * returned promise resolves.
   */
  onJoin(group: ConsumerGroup, join: () => Promise<void>): Promise<void>;
  /** Called when the library fetches. Calling `fetch` performs the fetch. The returned batches are passed to `eachBatch`. */
  onFetch(group: ConsumerGroup, fetch: () => Promise<FetchedBatch[]>): Promise<FetchedBatch[]>;
  /** Called when the broker reports an offset as out of range. */
  onOutOfRange(group: ConsumerGroup, at: { topic: string; partition: number }): Promise<void>;
}

/** Attaches hooks to the group that uses this assigner. Other groups are not affected. */
export function attachHooks(assigner: object, hooks: GroupHooks): void {
  hooksByAssigner.set(assigner, hooks);
}

/**
 * Lets {@link GroupHooks} control joins, fetches and out-of-range offsets. Without hooks, kafkajs rejoins a group at once, so
 * the offsets of records that were already read could no longer be committed. It also silently jumps to a different offset if
 * the current one is out of range.
 */
function hookGroups(): void {
  const { prototype } = require('kafkajs/src/consumer/consumerGroup') as { prototype: ConsumerGroup };
  const { joinAndSync, fetch, recoverFromOffsetOutOfRange } = prototype;
  const hooksOf = (group: ConsumerGroup): GroupHooks | undefined => hooksByAssigner.get(group.assigners[0] ?? group);
  prototype.joinAndSync = function (this: ConsumerGroup) {
    const join = (): Promise<void> => joinAndSync.call(this);
    return hooksOf(this)?.onJoin(this, join) ?? join();
  };
  prototype.fetch = function (this: ConsumerGroup, nodeId) {
    const read = (): Promise<FetchedBatch[]> => fetch.call(this, nodeId);
    return hooksOf(this)?.onFetch(this, read) ?? read();
  };
  prototype.recoverFromOffsetOutOfRange = function (this: ConsumerGroup, error) {
    return hooksOf(this)?.onOutOfRange(this, error) ?? recoverFromOffsetOutOfRange.call(this, error);
  };
}
