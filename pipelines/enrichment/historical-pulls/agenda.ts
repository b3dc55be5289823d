import type { UserStanding } from './tracker.ts';

/** The pace of asking. Milliseconds. */
export interface Pace {
  /** Between two calls at least. */
  readonly betweenCallsMs: number;
  /** A user whose pulls move is asked so often at first; ever more seldom the longer nothing new is heard. */
  readonly fastestMs: number;
  /** A user whose pulls have all ended, or stand still, is asked so often. */
  readonly settledMs: number;
  /** Pulls of which nothing was heard for so long stand still. */
  readonly stalledMs: number;
  /** Users that one page of the whole list holds. */
  readonly pageUsers: number;
}

/** What is to be asked next: one user, the next page of all, or nothing before `at`. */
export type Step =
  | { readonly ask: 'user'; readonly userId: string }
  | { readonly ask: 'page' }
  | { readonly ask: 'nothing'; readonly at: number };

interface User {
  standing: UserStanding;
  /** When the service last answered for the user; NaN: never. */
  askedAt: number;
  due: number;
}

/** Between two pages at most so many users are asked for one by one. */
const USERS_BETWEEN_PAGES = 3;

/**
 * Who is asked for when: pure, the clock is passed in. Users whose pulls move are asked for one by one, at a pace that
 * follows how long ago something new was heard. All others come with the pages of the whole list, again and again; who is
 * known from evidence and not in that list is asked for alone. Where more users are due than the list has pages, the list
 * is the shorter way.
 */
export class Agenda {
  readonly #pace: Pace;
  readonly #users = new Map<string, User>();
  readonly #queue = new DueQueue();
  #nextCall = Number.NEGATIVE_INFINITY;
  #sweepDue = Number.NEGATIVE_INFINITY;
  #sweeping = false;
  #sincePage = 0;
  /** Users asked for one by one since the list ended. */
  #sinceSweep = Number.POSITIVE_INFINITY;

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  get known(): number {
    return this.#users.size;
  }

  /** Milliseconds until one more call may be made. */
  untilNextCall(now: number): number {
    return Math.max(0, this.#nextCall - now);
  }

  /** A call was made that {@link next} has not named: by another process, or once more after a failure. */
  called(at: number): void {
    this.#nextCall = Math.max(this.#nextCall, at + this.#pace.betweenCallsMs);
  }

  /** When the list of all users was begun that is gone through now; undefined if none is. */
  get sweepBegan(): number | undefined {
    return this.#sweeping ? this.#sweepDue - this.#pace.settledMs : undefined;
  }

  /** Goes on with a list of all users that was begun at that time. */
  resumeSweep(began: number): void {
    this.#sweeping = true;
    this.#sweepDue = began + this.#pace.settledMs;
    this.#sincePage = USERS_BETWEEN_PAGES;
  }

  /** How many users are to be asked for now, one by one or with the list. */
  dueUsers(now: number): number {
    let due = 0;
    for (const user of this.#users.values()) if (user.due <= now) due += 1;
    return due;
  }

  /** Something was heard of the user; an answer is heard, too. */
  heard(userId: string, standing: UserStanding, now: number): void {
    const user = this.#users.get(userId) ?? { standing, askedAt: Number.NaN, due: Number.NaN };
    const news = standing.openNews !== user.standing.openNews || Number.isNaN(user.due);
    user.standing = standing;
    this.#users.set(userId, user);
    const asked = user.askedAt;
    const due = this.#dueOf(user, now);
    // News of an event is followed at once; an answer that brought it was just given.
    if (news && standing.openNews !== null && !(now - asked < this.#pace.fastestMs)) this.#plan(userId, user, now);
    else this.#plan(userId, user, due);
  }

  /** The service answered for the user; what it said is heard afterwards. */
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
    // Those who are in the list come with its next pages before that.
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

  /** When {@link next} names a call, or knows better when it will. */
  nextAt(now: number): number {
    if (now < this.#nextCall) return this.#nextCall;
    if (this.#sweeping) return now;
    return Math.min(this.#sweepDue, this.#firstDue()?.due ?? Number.POSITIVE_INFINITY);
  }

  /** What to do now. A call that is named here counts as made. */
  next(now: number): Step {
    if (now < this.#nextCall) return { ask: 'nothing', at: this.#nextCall };
    const first = this.#firstDue();
    const userDue = first !== undefined && first.due <= now;
    const pages = this.#pages();
    const many = userDue && this.#queue.manyDue(now, pages);
    // Those whom the list does not have must have their turn, too, before it begins anew for the many.
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
      // Planned anew by the answer; if none comes, it is due again soon.
      this.#plan(first.userId, this.#users.get(first.userId)!, now + this.#pace.fastestMs);
      return { ask: 'user', userId: first.userId };
    }
    return { ask: 'nothing', at: Math.min(this.#sweepDue, first?.due ?? Number.POSITIVE_INFINITY) };
  }

  /** The list of all users has ended, or cannot be gone on with: then it begins anew after a while. */
  sweepEnded(now: number, whole: boolean): void {
    this.#sweeping = false;
    this.#sinceSweep = 0;
    if (!whole) this.#sweepDue = Math.min(this.#sweepDue, now + Math.max(60_000, this.#pace.fastestMs));
  }

  /** When the service answered for the user whose last answer is the oldest; undefined where one never was answered for, or none is known. */
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
      // What was planned anew since stands at another place, too.
      if (first === undefined || this.#users.get(first.userId)!.due === first.due) return first;
      this.#queue.drop();
    }
  }
}

/** Users by when they are due: a binary heap. */
class DueQueue {
  readonly #heap: { due: number; userId: string }[] = [];

  first(): { due: number; userId: string } | undefined {
    return this.#heap[0];
  }

  /** Whether more than so many may be due: counts some twice that were planned anew. */
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
