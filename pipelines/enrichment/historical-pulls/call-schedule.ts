import type { UserStanding } from './tracker.ts';

/** Limits on introspection calls. Times are in milliseconds. */
export interface Pace {
  /** Minimum time between any two calls. */
  readonly betweenCallsMs: number;
  /** Minimum time between two individual calls for the same user. The actual time grows while the user has no news. */
  readonly fastestMs: number;
  /** Time between two calls for a user whose pulls have all ended or stalled. */
  readonly settledMs: number;
  /** Time without news after which a pull counts as stalled. */
  readonly stalledMs: number;
  /** Number of users per page of the list of all users. */
  readonly pageUsers: number;
}

/** What to request next: one user, the next page of the list, or nothing before `at`. */
export type NextCall =
  | { readonly ask: 'user'; readonly userId: string }
  | { readonly ask: 'page' }
  | { readonly ask: 'nothing'; readonly at: number };

interface User {
  standing: UserStanding;
  /** Time of the last answer for the user; NaN if there is none. */
  askedAt: number;
  due: number;
}

/** Maximum number of calls for individual users between two pages of a sweep. */
const USERS_BETWEEN_PAGES = 3;

/**
 * Decides when to call introspection, and for which users. Methods receive the current time as `now`. Users whose pulls
 * are making progress are polled individually, and less often as their last news gets older. The other users are polled by
 * regular sweeps through the list of all users. Users who are missing from the list are polled individually too. If more
 * users are due than the list has pages, a sweep replaces the individual calls, because it needs fewer calls.
 */
export class CallSchedule {
  readonly #pace: Pace;
  readonly #users = new Map<string, User>();
  readonly #queue = new DueQueue();
  #nextCall = Number.NEGATIVE_INFINITY;
  #sweepDue = Number.NEGATIVE_INFINITY;
  #sweeping = false;
  #sincePage = 0;
  /** Number of calls for individual users since the last sweep. */
  #sinceSweep = Number.POSITIVE_INFINITY;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  get known(): number {
    return this.#users.size;
  }

  /** Returns the milliseconds until the next call is allowed. */
  untilNextCall(now: number): number {
    return Math.max(0, this.#nextCall - now);
  }

  /** Records a call that does not come from {@link next}: a retry, or a call by an earlier process. */
  called(at: number): void {
    this.#nextCall = Math.max(this.#nextCall, at + this.#pace.betweenCallsMs);
  }

  /** Start time of the current sweep; undefined if no sweep is running. */
  get sweepBegan(): number | undefined {
    return this.#sweeping ? this.#sweepDue - this.#pace.settledMs : undefined;
  }

  resumeSweep(began: number): void {
    this.#sweeping = true;
    this.#sweepDue = began + this.#pace.settledMs;
    this.#sincePage = USERS_BETWEEN_PAGES;
  }

  dueUsers(now: number): number {
    let due = 0;
    for (const user of this.#users.values()) if (user.due <= now) due += 1;
    return due;
  }

  /** Reschedules a user after new evidence from an event or an answer. */
  update(userId: string, standing: UserStanding, now: number): void {
    const user = this.#users.get(userId) ?? { standing, askedAt: Number.NaN, due: Number.NaN };
    const news = standing.openNews !== user.standing.openNews || Number.isNaN(user.due);
    user.standing = standing;
    this.#users.set(userId, user);
    const asked = user.askedAt;
    const due = this.#dueOf(user, now);
    // If an event brings news, the user is due at once. If an answer brings news, the user was just polled.
    if (news && standing.openNews !== null && !(now - asked < this.#pace.fastestMs)) this.#plan(userId, user, now);
    else this.#plan(userId, user, due);
  }

  /** Records that the service answered for the user. The caller then passes the content of the answer to {@link update}. */
  answered(userId: string, now: number): void {
    const user = this.#users.get(userId) ?? {
      standing: { openNews: null, unnamed: false, gone: false },
      askedAt: now,
      due: Number.NaN,
    };
    user.askedAt = now;
    this.#users.set(userId, user);
    this.#plan(userId, user, this.#dueOf(user, now));
  }

  #dueOf({ standing, askedAt }: User, now: number): number {
    if (standing.gone) return Number.POSITIVE_INFINITY;
    if (Number.isNaN(askedAt)) return now;
    const { fastestMs, settledMs, stalledMs } = this.#pace;
    // This time applies only to users who are missing from the list, because a sweep polls all other users earlier.
    const settled = askedAt + settledMs * 1.5;
    if (standing.openNews === null) return settled;
    const quiet = Math.max(0, now - standing.openNews / 1000);
    return quiet > stalledMs ? settled : Math.min(settled, askedAt + Math.max(fastestMs, quiet / 5));
  }

  #plan(userId: string, user: User, due: number): void {
    if (user.due === due) return;
    user.due = due;
    if (Number.isFinite(due)) this.#queue.add(due, userId);
  }

  /** Returns the time at which to call {@link next} again. */
  nextAt(now: number): number {
    if (now < this.#nextCall) return this.#nextCall;
    if (this.#sweeping) return now;
    return Math.min(this.#sweepDue, this.#firstDue()?.due ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the call to make now, and records it as made. */
  next(now: number): NextCall {
    if (now < this.#nextCall) return { ask: 'nothing', at: this.#nextCall };
    const first = this.#firstDue();
    const userDue = first !== undefined && first.due <= now;
    const pages = this.#pages();
    const many = userDue && this.#queue.manyDue(now, pages);
    // An early sweep does not begin until users who are missing from the list have been polled.
    if (!this.#sweeping && (now >= this.#sweepDue || (many && this.#sinceSweep >= pages))) {
      this.#sweeping = true;
      this.#sweepDue = now + this.#pace.settledMs;
      this.#sincePage = USERS_BETWEEN_PAGES;
    }
    if (this.#sweeping && (!userDue || many || this.#sincePage >= USERS_BETWEEN_PAGES)) {
      this.#sincePage = 0;
      this.#nextCall = now + this.#pace.betweenCallsMs;
      return { ask: 'page' };
    }
    if (userDue) {
      this.#sincePage += 1;
      this.#sinceSweep += 1;
      this.#nextCall = now + this.#pace.betweenCallsMs;
      // Reschedules the user in case the call gets no answer. An answer reschedules the user again.
      this.#plan(first.userId, this.#users.get(first.userId)!, now + this.#pace.fastestMs);
      return { ask: 'user', userId: first.userId };
    }
    return { ask: 'nothing', at: Math.min(this.#sweepDue, first?.due ?? Number.POSITIVE_INFINITY) };
  }

  /** Ends a sweep. If it was incomplete (`whole` is false), a new sweep starts after a pause. */
  sweepEnded(now: number, whole: boolean): void {
    this.#sweeping = false;
    this.#sinceSweep = 0;
    if (!whole) this.#sweepDue = Math.min(this.#sweepDue, now + Math.max(60_000, this.#pace.fastestMs));
  }

  /** Returns the earliest of all users' last answer times; undefined if any user has no answer, or no user is known. */
  oldest(): number | undefined {
    let oldest: number | undefined;
    for (const { askedAt, standing } of this.#users.values()) {
      if (standing.gone) continue;
      if (Number.isNaN(askedAt)) return undefined;
      oldest = Math.min(oldest ?? askedAt, askedAt);
    }
    return oldest;
  }

  #pages(): number {
    return Math.max(8, Math.ceil(this.#users.size / this.#pace.pageUsers));
  }

  #firstDue(): { due: number; userId: string } | undefined {
    for (;;) {
      const first = this.#queue.first();
      // Drops outdated queue entries of rescheduled users.
      if (first === undefined || this.#users.get(first.userId)!.due === first.due) return first;
      this.#queue.drop();
    }
  }
}

/** Users ordered by due time, in a binary heap. */
class DueQueue {
  readonly #heap: { due: number; userId: string }[] = [];

  first(): { due: number; userId: string } | undefined {
    return this.#heap[0];
  }

  /** Returns whether more than `most` entries are due. A rescheduled user may be counted twice. */
  manyDue(now: number, most: number): boolean {
    return this.#count(now, 0, most + 1) > most;
  }

  #count(now: number, at: number, most: number): number {
    const one = this.#heap[at];
    if (one === undefined || one.due > now || most <= 0) return 0;
    const left = 1 + this.#count(now, 2 * at + 1, most - 1);
    return left + this.#count(now, 2 * at + 2, most - left);
  }

  add(due: number, userId: string): void {
    const heap = this.#heap;
    let at = heap.push({ due, userId }) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (heap[above]!.due <= heap[at]!.due) return;
      [heap[above], heap[at]] = [heap[at]!, heap[above]!];
      at = above;
    }
  }

  drop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) if (below < heap.length && heap[below]!.due < heap[least]!.due) least = below;
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least]!, heap[at]!];
      at = least;
    }
  }
}
