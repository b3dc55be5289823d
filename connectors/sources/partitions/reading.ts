/** What a partition holds: sequence numbers from `begin` up to, not including, `end`; the same where it is empty. */
export interface LogBounds {
  readonly begin: number;
  readonly end: number;
  /** When its last event was enqueued, in milliseconds since 1970; undefined where there never was one. */
  readonly lastAt?: number | undefined;
}

/** Sequence numbers [from, to) that this process has shown to the redelivery window without a gap. */
export interface Shown {
  readonly from: number;
  readonly to: number;
}

export interface ReadingSituation {
  /** The last sequence number that is durably taken; undefined where the group has never been here. */
  readonly checkpoint: number | undefined;
  /** The sequence number with which the group began: nothing before it was ever emitted, so it recognises nothing. */
  readonly first: number;
  readonly log: LogBounds;
  /** Sequence numbers that the redelivery window reaches back. */
  readonly window: number;
  readonly shown: Shown | undefined;
}

/** How the reading of a claimed partition goes: the window's deliveries from `from`, which are emitted to nobody, then all from `position`. */
export interface ReadingPlan {
  readonly kind: 'read';
  readonly from: number;
  readonly position: number;
  /** Events that the hub has dropped before they were taken. */
  readonly expired: number;
  /** Sequence numbers of the window that the hub no longer has, and this process never saw. */
  readonly blind: number;
}

/** The checkpoint lies behind the end of the log: this is not the log that it was written for. */
export interface BeyondTheEnd {
  readonly kind: 'beyond';
}

/**
 * Where to begin. Recognition of redeliveries has to be a function of the partition's log alone, whoever read it before:
 * so the window before the position is read again, unless this process has shown it to its window already.
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
  // What was dropped unread stands in the window of what follows, and is counted as expired already.
  const gone = { from: edge, to: Math.max(edge, Math.min(readable, asked)) };
  const remembered = shown === undefined ? 0 : Math.max(0, Math.min(gone.to, shown.to) - Math.max(gone.from, shown.from));
  return { kind: 'read', from, position, expired, blind: gone.to - gone.from - remembered };
}

/** What has come in, as indices into it. */
export interface Arrival {
  readonly kind: 'taken';
  /** For the redelivery window only. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** How many were there before, and are passed over. */
  readonly repeated: number;
  /** Sequence numbers that were left out, and are not held by the hub any more. */
  readonly missing: number;
}

/** Sequence numbers are left out: the reading should be opened again at the next one before that is believed. */
export interface Doubt {
  readonly kind: 'doubt';
}

/**
 * The reading of one claimed partition: which of the events that come in, over however many links, are taken. Each
 * sequence number is taken once, in order. Pure: it knows numbers only.
 */
export class Reading {
  readonly #position: number;
  #next: number;
  /** The number at which a gap was doubted. After one that was believed (a compacted hub leaves numbers out) no other is doubted. */
  #doubted: number | 'never again' | undefined;

  constructor({ from, position }: Pick<ReadingPlan, 'from' | 'position'>) {
    this.#next = from;
    this.#position = position;
  }

  /** The sequence number that is expected next: where a link has to begin. */
  get next(): number {
    return this.#next;
  }

  /** Whether what comes in is still the window before the position. */
  get rereading(): boolean {
    return this.#next < this.#position;
  }

  /** Sorts in what has come, in its order. */
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

/** What was shown to the window, after [from, to) was, too: joined where they meet, else only the new. */
export function shownAfter(before: Shown | undefined, from: number, to: number): Shown {
  if (before === undefined || from > before.to || from < before.from) return { from, to };
  return { from: before.from, to: Math.max(before.to, to) };
}
