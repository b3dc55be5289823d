import { explains, type OutageFacts, type OutagePlace, Outages, stallOf } from './outages.ts';
import type { LaneName, Stall } from './stall.ts';

/**
 * What moves and what stands still. Every part that can wait says so here, with a reason and a deadline; everything that
 * is read (a partition of a source, a stream by a group) says how far it is and how much there is. Out of that follows
 * whether the program is ready. No timers and no input or output: whoever asks brings nothing but the moment.
 *
 * The rule: **data waits and nothing has moved for T** is a stall; so is a wait beyond its deadline, and a partition of
 * which nothing was heard for longer than its source promises.
 */

/** Where a reader is in what it reads. */
export interface Whereabouts {
  /** What is taken next: an offset or the ordinal of a record. */
  readonly position: number;
  /** After the last one that is known to be there. */
  readonly end: number;
  /** Receipt of the last one taken, in milliseconds since 1970, where it is known. */
  readonly receivedAt?: number | undefined;
  /** What is being done, in a word of the code: `reading`, `restoring`, `opening`. */
  readonly state: string;
}

/** How a part that reads says how far it is. */
export interface Lane {
  /** Says where the reader is; what is left out is as before. Saying nothing new is news, too: it was looked at. */
  report(news: Partial<Whereabouts>): void;
  /** Says what the reader itself does or found elsewhere: nothing was heard of what it reads. */
  note(news: Partial<Whereabouts>): void;
  /** It is not read here any more: another worker has it, or the source was closed. */
  end(): void;
}

export interface LaneOptions {
  /** The part that moves it (see {@link Progress.wait}): a wait of that part that may take longer than T lengthens the patience. */
  readonly part: string;
  /** Something is to be heard of it at least so often, in milliseconds; default: never. For what is far away: a dead connection reports no end that grows. */
  readonly heardEveryMs?: number;
}

export interface WaitOptions {
  /**
   * Milliseconds after which the wait is a stall. Default: the T of the rule. 0: as long as it lasts, nothing is ready.
   * Infinity: waiting is all that is to be done, as for a source that has nothing new.
   */
  readonly deadlineMs?: number;
  /** Milliseconds after which the wait ends by itself, if that is known. */
  readonly dueMs?: number | undefined;
}

/** What is to be known of a lane now. */
export interface LaneFacts extends LaneName, Whereabouts {
  readonly lag: number;
  /** Milliseconds since the receipt of the last one taken, where more wait; 0 where nothing waits; undefined where it is not known. */
  readonly lagMs: number | undefined;
  /** When the position last changed, in milliseconds since 1970. */
  readonly movedAt: number;
}

export interface WaitFacts {
  readonly part: string;
  readonly reason: string;
  readonly since: number;
  readonly deadlineMs: number;
  /** When the wait ends by itself, in milliseconds since 1970; undefined if that is not known. */
  readonly dueAt: number | undefined;
}

export interface ProgressOptions {
  /** The T of the rule, in milliseconds. Default 60,000. */
  readonly stalledAfterMs?: number;
  /** Milliseconds since 1970; default: the machine's clock. */
  readonly clock?: () => number;
  /** Hears of every wait that has ended. */
  readonly onWaited?: (part: string, reason: string, milliseconds: number) => void;
}

export const STALLED_AFTER_MS = 60_000;

/** The deadline of a step that reads or writes whole tables or streams: a large merge, a copy, a window that is read again. */
export const LONG_STEP_MS = 600_000;

interface HeldLane {
  readonly name: LaneName;
  readonly part: string;
  readonly heardEveryMs: number;
  where: Whereabouts;
  movedAt: number;
  /** Since when there has been something to take; undefined where there is nothing. */
  aheadSince: number | undefined;
  heardAt: number;
}

export class Progress {
  readonly #stalledAfterMs: number;
  readonly #clock: () => number;
  readonly #onWaited: NonNullable<ProgressOptions['onWaited']>;
  readonly #lanes = new Map<string, HeldLane>();
  readonly #waits = new Set<WaitFacts>();
  readonly #outages = new Outages();

  constructor({ stalledAfterMs = STALLED_AFTER_MS, clock = Date.now, onWaited = () => {} }: ProgressOptions = {}) {
    this.#stalledAfterMs = stalledAfterMs;
    this.#clock = clock;
    this.#onWaited = onWaited;
  }

  /** A part waits from now on, until what is returned is called. Reasons are of the code: `the jobs are behind`. */
  wait(part: string, reason: string, { deadlineMs = this.#stalledAfterMs, dueMs }: WaitOptions = {}): () => void {
    const since = this.#clock();
    const wait: WaitFacts = { part, reason, since, deadlineMs, dueAt: dueMs === undefined ? undefined : since + dueMs };
    this.#waits.add(wait);
    return () => {
      if (this.#waits.delete(wait)) this.#onWaited(part, reason, Math.max(0, this.#clock() - wait.since));
    };
  }

  /** Waits for a promise, saying so. */
  async during<T>(part: string, reason: string, work: Promise<T>, options: WaitOptions = {}): Promise<T> {
    const ended = this.wait(part, reason, options);
    try {
      return await work;
    } finally {
      ended();
    }
  }

  /** A reader begins. One of the same name that was there is forgotten. */
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

  /** A place of a source cannot be read, until what is returned is called. */
  outage(place: OutagePlace, reason: string, { since, deadlineMs }: Pick<OutageFacts, 'since' | 'deadlineMs'>): () => void {
    return this.#outages.begin({ ...place, reason, since, deadlineMs });
  }

  /** What cannot be read now, however short the time. */
  outages(): readonly OutageFacts[] {
    return this.#outages.all();
  }

  /** What keeps the program from being ready now; nothing where it is. Outages first, since they explain others, and the oldest first. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one entry for each thing that is reported
  stalls(): readonly Stall[] {
    const now = this.#clock();
    const stalls: Stall[] = [];
    const outages = this.#outages.overdue(now);
    for (const { part, reason, since, deadlineMs } of this.#waits) {
      if (now - since < deadlineMs) continue;
      const may = deadlineMs === 0 ? '' : `, and may for ${seconds(deadlineMs)}`;
      stalls.push({ kind: 'waiting', reason: `${part} has waited for ${seconds(now - since)}${may}: ${reason}`, since });
    }
    for (const lane of this.#lanes.values()) {
      const { aheadSince, movedAt, heardAt, heardEveryMs, where } = lane;
      const since = Math.max(movedAt, aheadSince ?? 0);
      const lag = where.end - where.position;
      if (aheadSince !== undefined && now - since >= this.#patience(lane.part)) {
        const what = lane.name.kind === 'partition' ? 'deliveries wait' : 'records wait';
        const reason = `${nameOf(lane.name)} stands at ${where.position} for ${seconds(now - since)}, and ${lag} ${what} (${where.state})`;
        stalls.push({ kind: 'standing', reason, since });
      } else if (now - heardAt >= heardEveryMs && !outages.some((outage) => explains(outage, lane.name))) {
        const reason = `nothing was heard of ${nameOf(lane.name)} for ${seconds(now - heardAt)} (${where.state})`;
        stalls.push({ kind: 'unheard', reason, since: heardAt });
      }
    }
    return [...outages.map((outage) => stallOf(outage, now)), ...stalls.sort((a, b) => a.since - b.since)];
  }

  /** Everything that is read, in the order in which it began. */
  lanes(): readonly LaneFacts[] {
    const now = this.#clock();
    return [...this.#lanes.values()].map(({ name, where, movedAt }) => {
      const lag = Math.max(0, where.end - where.position);
      const lagMs = lag === 0 ? 0 : where.receivedAt === undefined ? undefined : Math.max(0, now - where.receivedAt);
      return { ...name, ...where, lag, lagMs, movedAt };
    });
  }

  /** Who waits now, and for what. */
  waits(): readonly (WaitFacts & { readonly forMs: number })[] {
    const now = this.#clock();
    return [...this.#waits].map((wait) => ({ ...wait, forMs: Math.max(0, now - wait.since) }));
  }

  #moved(lane: HeldLane, news: Partial<Whereabouts>): void {
    const now = this.#clock();
    const where = { ...lane.where, ...news };
    // Back as well as forth: a rewind is a beginning.
    if (where.position !== lane.where.position) lane.movedAt = now;
    if (where.end <= where.position) lane.aheadSince = undefined;
    else lane.aheadSince ??= now;
    lane.where = where;
  }

  /**
   * How long a lane may stand: T, or what its part's present wait may take where that is longer. Many short waits in turn
   * do not add up to an excuse, and a wait without an end is none.
   */
  #patience(part: string): number {
    let patience = this.#stalledAfterMs;
    for (const wait of this.#waits) {
      if (wait.part === part && Number.isFinite(wait.deadlineMs)) patience = Math.max(patience, wait.deadlineMs);
    }
    return patience;
  }
}

/** What a part needs of {@link Progress}: it reports, and others judge. */
export type ProgressReports = Pick<Progress, 'wait' | 'during' | 'lane'>;

function nameOf({ kind, reader, of }: LaneName): string {
  return kind === 'partition' ? `partition ${of} of source ${reader}` : `group ${reader} in stream ${of}`;
}

function seconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)} s`;
}
