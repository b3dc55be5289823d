/**
 * The range of sequence numbers in a partition: from `begin` up to, but not including, `end`. The two are equal if the
 * partition is empty.
 */
export interface LogBounds {
  readonly begin: number;
  readonly end: number;
  /** Enqueue time of the last event, in milliseconds since 1970; undefined if there never was one. */
  readonly lastAt?: number | undefined;
}

/** Sequence numbers [from, to) that this process has passed to the redelivery window without a gap. */
export interface WindowRange {
  readonly from: number;
  readonly to: number;
}

export interface ReadingSituation {
  /** The last sequence number whose event is durably stored; undefined if the group never read this partition. */
  readonly checkpoint: number | undefined;
  /** The group's first sequence number. Earlier events were never emitted, so redelivery detection must ignore them. */
  readonly first: number;
  readonly log: LogBounds;
  /** Size of the redelivery window in sequence numbers. */
  readonly window: number;
  readonly shown: WindowRange | undefined;
}

/**
 * How to read a claimed partition. Events from `from` up to `position` only fill the redelivery window. Events from
 * `position` on are emitted.
 */
export interface ReadingPlan {
  readonly kind: 'read';
  readonly from: number;
  readonly position: number;
  /** Number of events that the hub dropped before they were read. */
  readonly expired: number;
  /** Number of sequence numbers in the window that the hub no longer has and that this process never saw. */
  readonly blind: number;
}

/** The checkpoint is beyond the end of the log, so it was written for a different log. */
export interface BeyondTheEnd {
  readonly kind: 'beyond';
}

/**
 * Decides where reading starts. Redelivery detection must depend only on the partition's log, not on which process read
 * the partition before. So the window before the position is reread, unless this process has already passed those
 * events to its redelivery window.
 */
export function planReading({ checkpoint, first, log, window, shown }: ReadingSituation): ReadingPlan | BeyondTheEnd {
  const asked = checkpoint === undefined ? first : checkpoint + 1;
  if (asked > log.end) return { kind: 'beyond' };
  const position = Math.max(asked, log.begin);
  const expired = checkpoint === undefined ? 0 : position - asked;
  const edge = Math.min(Math.max(position - window, first), position);
  const readable = Math.max(edge, log.begin);
  const known = shown !== undefined && shown.from <= readable && shown.to >= readable;
  const from = known ? Math.min(shown.to, position) : readable;
  // Excludes events that expired unread. They lie in the window of later events, but count as expired, not as blind.
  const gone = { from: edge, to: Math.max(edge, Math.min(readable, asked)) };
  const remembered = shown === undefined ? 0 : Math.max(0, Math.min(gone.to, shown.to) - Math.max(gone.from, shown.from));
  return { kind: 'read', from, position, expired, blind: gone.to - gone.from - remembered };
}

/** The accepted events. Each event is given by its index in the batch. */
export interface Arrival {
  readonly kind: 'taken';
  /** Events that only fill the redelivery window. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Number of events that are skipped because they arrived earlier. */
  readonly repeated: number;
  /** Number of sequence numbers in an accepted gap. The hub no longer has their events. */
  readonly missing: number;
}

/** There is a gap in the sequence numbers. Reopen the link at the next number before accepting the gap. */
export interface Doubt {
  readonly kind: 'doubt';
}

/**
 * Tracks which events of one claimed partition are accepted, over any number of links. Each sequence number is accepted
 * once, in order. Pure: the class handles only numbers.
 */
export class AcceptedEvents {
  readonly #position: number;
  #next: number;
  /**
   * The number that was expected when a gap was last reported as a {@link Doubt}. A compacted hub skips numbers, so after
   * one gap is accepted, all later gaps are accepted at once.
   */
  #doubted: number | 'never again' | undefined;

  constructor({ from, position }: Pick<ReadingPlan, 'from' | 'position'>) {
    this.#next = from;
    this.#position = position;
  }

  /** The next expected sequence number, at which a link must start. */
  get next(): number {
    return this.#next;
  }

  /** Whether incoming events still belong to the window before the position. */
  get rereading(): boolean {
    return this.#next < this.#position;
  }

  /** Sorts a batch of sequence numbers into accepted, repeated and missing numbers. */
  arrive(numbers: readonly number[]): Arrival | Doubt {
    const before: number[] = [];
    const after: number[] = [];
    let next = this.#next;
    let missing = 0;
    for (const [index, number] of numbers.entries()) {
      if (number < next) continue;
      missing += number - next;
      next = number + 1;
      (number < this.#position ? before : after).push(index);
    }
    if (missing > 0) {
      if (this.#doubted === undefined || (this.#doubted !== 'never again' && this.#doubted !== this.#next)) {
        this.#doubted = this.#next;
        return { kind: 'doubt' };
      }
      this.#doubted = 'never again';
    }
    this.#next = next;
    return { kind: 'taken', before, after, repeated: numbers.length - before.length - after.length, missing };
  }
}

/** Adds [from, to) to the range passed to the window. If there is a gap between the two ranges, only the new range is kept. */
export function shownAfter(before: WindowRange | undefined, from: number, to: number): WindowRange {
  if (before === undefined || from > before.to || from < before.from) return { from, to };
  return { from: before.from, to: Math.max(before.to, to) };
}
