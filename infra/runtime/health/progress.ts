import type { generalMetrics } from '../metrics/general-metrics.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { steadyNow } from '../steady-clock.ts';

/** The position of a reader in its partition or stream. */
export interface Whereabouts {
  /** The next record to read, as an offset or as the record's ordinal. */
  readonly position: number;
  /** One past the last record that is known to exist. */
  readonly end: number;
  /** When the most recently read record was received, by the system clock in milliseconds since 1970, if known. */
  readonly receivedAt?: number | undefined;
  /** The reader's activity: a constant word such as `reading`, `restoring` or `opening`. */
  readonly state: string;
}

/** A source partition or stream whose reader reports progress. */
export interface Lane {
  /** Reports the position of the reader. Omitted members keep their values. Even an empty report ends the lane's silence. */
  report(news: Partial<Whereabouts>): void;
  /** Updates the lane like {@link report}, but without ending its silence, because the partition has not responded. */
  note(news: Partial<Whereabouts>): void;
  /** Removes the lane. Called when a different worker takes over the partition, or when the reader is closed. */
  end(): void;
}

export interface LaneOptions {
  /**
   * The part of the program that reads the lane (see {@link Progress.wait}). While this part waits with a deadline
   * longer than `stalledAfterMs`, that deadline is the time limit of the lane.
   */
  readonly part: string;
  /**
   * Milliseconds without a report after which the lane is stalled. Default: no limit. Remote partitions need a limit,
   * because a reader with a dead connection does not notice that data is waiting.
   */
  readonly heardEveryMs?: number;
}

export interface WaitOptions {
  /**
   * Milliseconds after which the wait is a stall. Default: `stalledAfterMs`. With 0, the program is not ready until the
   * wait ends. Use Infinity for a part that has nothing else to do, such as a source without new data.
   */
  readonly deadlineMs?: number;
  /** When the condition behind the wait began, by `steadyNow`, if that was earlier. The deadline counts from then. */
  readonly since?: number;
  /** Milliseconds after which the wait ends by itself, if known. */
  readonly dueMs?: number | undefined;
}

/** Identifies a lane: a source partition, or a stream as read by one consumer group. */
export interface LaneName {
  readonly kind: 'partition' | 'stream';
  /** Configured name of the source, or name of the consumer group. */
  readonly reader: string;
  /** Partition of the source, or name of the stream. */
  readonly of: string;
}

interface Stall {
  readonly kind: 'outage' | 'waiting' | 'standing' | 'unheard';
  /** A sentence without a full stop. It contains only names, counts and times. */
  readonly reason: string;
  /** Start of the stall, by `steadyNow`. */
  readonly since: number;
}

export interface LaneFacts extends LaneName, Whereabouts {
  readonly lag: number;
  /** Milliseconds since the most recently read record was received. 0 if no record is waiting, and undefined if unknown. */
  readonly lagMs: number | undefined;
  /** When the position last changed, by `steadyNow`. */
  readonly movedAt: number;
}

export interface WaitFacts {
  readonly part: string;
  readonly reason: string;
  readonly since: number;
  readonly deadlineMs: number;
  /** When the wait ends by itself, by `steadyNow`; undefined if unknown. */
  readonly dueAt: number | undefined;
}

export interface ProgressOptions {
  /** Maximum time T, in milliseconds, that a lane may go without progress before it is stalled. Default: 60,000. */
  readonly stalledAfterMs?: number;
  /** Replaces `steadyNow` and the system clock in tests. */
  readonly clock?: () => number;
  readonly onWaited?: (part: string, reason: string, milliseconds: number) => void;
}

export const STALLED_AFTER_MS = 60_000;

/** Deadline for steps that read or write whole tables or streams, such as merging, copying, or reading the redelivery window. */
export const LONG_STEP_MS = 600_000;

interface HeldLane {
  readonly name: LaneName;
  readonly part: string;
  readonly heardEveryMs: number;
  where: Whereabouts;
  movedAt: number;
  /** When the end last moved ahead of the position. Undefined if the end is not ahead. */
  aheadSince: number | undefined;
  heardAt: number;
}

/** Identifies the part of a source that cannot be read. */
interface OutageTarget {
  /** Configured name of the source. */
  readonly reader: string;
  /** The part of the source, such as `hub health-events`. */
  readonly of: string;
  /** Common prefix of the names of this part's partitions. The outage explains why these partitions are silent. */
  readonly partitions: string;
}

interface OutageFacts extends OutageTarget {
  /** The reason for the outage, with the error condition: `its key or role is refused (amqp:unauthorized-access)`. */
  readonly reason: string;
  /** Time of the last successful read, by `steadyNow`. */
  readonly since: number;
  /** Milliseconds after which the outage counts as a stall. */
  readonly deadlineMs: number;
}

class Outages {
  readonly #outages = new Set<OutageFacts>();

  begin(outage: OutageFacts): () => void {
    this.#outages.add(outage);
    return () => void this.#outages.delete(outage);
  }

  all(): readonly OutageFacts[] {
    return [...this.#outages];
  }

  /** Returns the outages that have reached their deadline. */
  overdue(now: number): readonly OutageFacts[] {
    return this.all().filter(({ since, deadlineMs }) => now - since >= deadlineMs);
  }
}

function stallOf({ reader, of, reason, since }: OutageFacts, now: number): Stall {
  const seconds = Math.floor((now - since) / 1000);
  return { kind: 'outage', reason: `${of} of source ${reader} has not been read for ${seconds} s: ${reason}`, since };
}

/** True if the outage is the reason why a partition is silent. */
function explains(outage: OutageTarget, { reader, of }: LaneName): boolean {
  return reader === outage.reader && of.startsWith(outage.partitions);
}

/**
 * Tracks the progress of the program, and decides whether the program is ready. Each part of the program reports its
 * waits, with a reason and a deadline. Each reader of a source partition or a stream reports its position and the end
 * of the data.
 * A stall is one of these:
 * - Data is waiting, and the position has not changed for the time T (`stalledAfterMs`).
 * - A wait or an outage has reached its deadline.
 * - A partition has been silent for longer than its source allows.
 * This class uses no timers and no I/O. Each method compares the recorded times with the current time. All times are those of
 * `steadyNow`, except `receivedAt`.
 */
export class Progress {
  readonly #stalledAfterMs: number;
  readonly #clock: () => number;
  /** Brokers and services stamp records by the time of day. */
  readonly #timeOfDay: () => number;
  readonly #onWaited: NonNullable<ProgressOptions['onWaited']>;
  readonly #lanes = new Map<string, HeldLane>();
  readonly #waits = new Set<WaitFacts>();
  readonly #outages = new Outages();

  constructor({ stalledAfterMs = STALLED_AFTER_MS, clock, onWaited = () => {} }: ProgressOptions = {}) {
    this.#stalledAfterMs = stalledAfterMs;
    this.#clock = clock ?? steadyNow;
    this.#timeOfDay = clock ?? Date.now;
    this.#onWaited = onWaited;
  }

  /**
   * Records that a part of the program starts to wait. The returned function ends the wait. A reason is a constant
   * string in the code, such as `loading is behind`.
   */
  wait(part: string, reason: string, { deadlineMs = this.#stalledAfterMs, since, dueMs }: WaitOptions = {}): () => void {
    const now = this.#clock();
    const dueAt = dueMs === undefined ? undefined : now + dueMs;
    const wait: WaitFacts = { part, reason, since: since ?? now, deadlineMs, dueAt };
    this.#waits.add(wait);
    return () => {
      if (this.#waits.delete(wait)) this.#onWaited(part, reason, Math.max(0, this.#clock() - now));
    };
  }

  /** Awaits a promise, and records the time as a wait of the part. */
  async during<T>(part: string, reason: string, work: Promise<T>, options: WaitOptions = {}): Promise<T> {
    const ended = this.wait(part, reason, options);
    try {
      return await work;
    } finally {
      ended();
    }
  }

  /** Adds a lane. Replaces an earlier lane with the same name. */
  lane(name: LaneName, { part, heardEveryMs = Number.POSITIVE_INFINITY }: LaneOptions): Lane {
    const now = this.#clock();
    const held: HeldLane = {
      name,
      part,
      heardEveryMs,
      where: { position: 0, end: 0, state: 'opening' },
      movedAt: now,
      aheadSince: undefined,
      heardAt: now,
    };
    const key = JSON.stringify([name.kind, name.reader, name.of]);
    this.#lanes.set(key, held);
    return {
      report: (news) => {
        held.heardAt = this.#clock();
        this.#moved(held, news);
      },
      note: (news) => this.#moved(held, news),
      end: () => {
        if (this.#lanes.get(key) === held) this.#lanes.delete(key);
      },
    };
  }

  /** Records that an outage of a part of a source has started. The returned function ends the outage. */
  outage(place: OutageTarget, reason: string, { since, deadlineMs }: Pick<OutageFacts, 'since' | 'deadlineMs'>): () => void {
    return this.#outages.begin({ ...place, reason, since, deadlineMs });
  }

  /** Returns all current outages, including outages that have not reached their deadline. */
  outages(): readonly OutageFacts[] {
    return this.#outages.all();
  }

  /** Returns the current stalls. Outages come first, because they explain other stalls. The other stalls are sorted by age. */
  stalls(): readonly Stall[] {
    const now = this.#clock();
    const stalls: Stall[] = [];
    const outages = this.#outages.overdue(now);
    for (const { part, reason, since, deadlineMs } of this.#waits) {
      if (now - since < deadlineMs) continue;
      const limit = deadlineMs === 0 ? '' : ` (limit ${seconds(deadlineMs)})`;
      stalls.push({ kind: 'waiting', reason: `${part} has waited for ${seconds(now - since)}${limit}: ${reason}`, since });
    }
    for (const lane of this.#lanes.values()) {
      const { aheadSince, movedAt, heardAt, heardEveryMs, where } = lane;
      const since = Math.max(movedAt, aheadSince ?? 0);
      const lag = where.end - where.position;
      if (aheadSince !== undefined && now - since >= this.#limit(lane.part)) {
        const what = lane.name.kind === 'partition' ? 'deliveries' : 'records';
        const reason = `${nameOf(lane.name)} has been at ${where.position} for ${seconds(now - since)} with ${lag} ${what} waiting (${where.state})`;
        stalls.push({ kind: 'standing', reason, since });
      } else if (now - heardAt >= heardEveryMs && !outages.some((outage) => explains(outage, lane.name))) {
        const reason = `${nameOf(lane.name)} has been silent for ${seconds(now - heardAt)} (${where.state})`;
        stalls.push({ kind: 'unheard', reason, since: heardAt });
      }
    }
    return [...outages.map((outage) => stallOf(outage, now)), ...stalls.sort((a, b) => a.since - b.since)];
  }

  lanes(): readonly LaneFacts[] {
    const now = this.#timeOfDay();
    return [...this.#lanes.values()].map(({ name, where, movedAt }) => {
      const lag = Math.max(0, where.end - where.position);
      const lagMs = lag === 0 ? 0 : where.receivedAt === undefined ? undefined : Math.max(0, now - where.receivedAt);
      return { ...name, ...where, lag, lagMs, movedAt };
    });
  }

  waits(): readonly (WaitFacts & { readonly forMs: number })[] {
    const now = this.#clock();
    return [...this.#waits].map((wait) => ({ ...wait, forMs: Math.max(0, now - wait.since) }));
  }

  #moved(lane: HeldLane, news: Partial<Whereabouts>): void {
    const now = this.#clock();
    const where = { ...lane.where, ...news, receivedAt: news.receivedAt ?? lane.where.receivedAt };
    // A rewind counts as progress too.
    if (where.position !== lane.where.position) lane.movedAt = now;
    if (where.end <= where.position) lane.aheadSince = undefined;
    else lane.aheadSince ??= now;
    lane.where = where;
  }

  /**
   * Returns how long a lane may go without progress: `stalledAfterMs`, or the longest finite deadline among the current
   * waits of the lane's part. Waits that have ended do not count, so many short waits in a row cannot hide a stall.
   */
  #limit(part: string): number {
    let limit = this.#stalledAfterMs;
    for (const wait of this.#waits) {
      if (wait.part === part && Number.isFinite(wait.deadlineMs)) limit = Math.max(limit, wait.deadlineMs);
    }
    return limit;
  }
}

/** The methods of {@link Progress} with which the parts of the program report their progress. */
export type ProgressReports = Pick<Progress, 'wait' | 'during' | 'lane'>;

function nameOf({ kind, reader, of }: LaneName): string {
  return kind === 'partition' ? `partition ${of} of source ${reader}` : `group ${reader} in stream ${of}`;
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)} s`;
}

/** Exports waits, lanes and readiness as metrics. The returned function stops the export. */
export function watchProgress(metrics: Metrics<typeof generalMetrics>, progress: Progress): () => void {
  return metrics.watch((set) => {
    set('aorta_ready', {}, progress.stalls().length === 0 ? 1 : 0);
    const longest = new Map<string, number>();
    for (const { part, reason, forMs } of progress.waits()) {
      // If a part has two waits with the same reason at the same time, the metric shows the longer wait.
      const key = JSON.stringify([part, reason]);
      longest.set(key, Math.max(forMs, longest.get(key) ?? 0));
      set('aorta_waiting_seconds', { part, reason }, longest.get(key)! / 1000);
    }
    for (const { kind, reader, of, position, end, lag, lagMs, state } of progress.lanes()) {
      if (kind === 'partition') {
        const labels = { source: reader, partition: of };
        set('aorta_source_position', labels, position);
        set('aorta_source_end', labels, end);
        set('aorta_source_lag', labels, lag);
        if (lagMs !== undefined) set('aorta_source_lag_seconds', labels, lagMs / 1000);
        set('aorta_source_state', { ...labels, state }, 1);
      } else {
        const labels = { group: reader, stream: of };
        set('aorta_stream_position', labels, position);
        set('aorta_stream_lag', labels, lag);
        if (lagMs !== undefined) set('aorta_stream_lag_seconds', labels, lagMs / 1000);
      }
    }
  });
}
