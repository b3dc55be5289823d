import { z } from 'zod';

/** Data that an event announced and the job has not fetched yet. */
export interface Owed {
  /** Identifies the data. Repeated announcements before the fetch cause a single fetch. */
  readonly key: string;
  readonly userId: string;
  /** Time of the last announcement, in milliseconds since 1970. */
  readonly since: number;
  /** Number of failed attempts. Attempts do not count while the service is unavailable. */
  readonly attempts: number;
  /** Earliest time of the next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
}

export const owedShape = z.object({
  key: z.string(),
  userId: z.string(),
  since: z.number().default(0),
  attempts: z.int().min(0),
  dueAt: z.number(),
});

const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/** Number of failed attempts after which the job gives up. The last one is about three days after the first one. */
export const QUOTA = 20;

/** The keys that the job must still fetch. Methods receive the current time as `now`. */
export class OwedSet {
  readonly #all: Map<string, Owed>;

  constructor(all: readonly Owed[] = []) {
    // If a key occurs twice, the entry with the latest announcement is kept.
    this.#all = new Map([...all].sort((a, b) => a.since - b.since).map((one) => [one.key, one]));
  }

  get size(): number {
    return this.#all.size;
  }

  get all(): readonly Owed[] {
    return [...this.#all.values()];
  }

  /**
   * Adds an announcement. It replaces an earlier announcement of the same key and clears its failed attempts, because the
   * data may have changed.
   */
  announce(key: string, userId: string, now: number): void {
    this.#all.set(key, { key, userId, since: now, attempts: 0, dueAt: now });
  }

  /** Returns at most `most` due keys, longest overdue first. */
  due(now: number, most: number): readonly Owed[] {
    return this.all
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt)
      .slice(0, most);
  }

  /** Returns the time at which the next key is due; Infinity if there are no keys. */
  nextAt(): number {
    return this.all.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Number.POSITIVE_INFINITY);
  }

  settle(key: string): void {
    this.#all.delete(key);
  }

  /** Records a failed attempt. After {@link QUOTA} attempts that count, the key is removed. */
  failed(key: string, now: number, counts: boolean): 'again' | 'given up' {
    const { attempts, ...one } = this.#all.get(key)!;
    const failures = attempts + (counts ? 1 : 0);
    if (failures >= QUOTA) {
      this.#all.delete(key);
      return 'given up';
    }
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1));
    this.#all.set(key, { ...one, attempts: failures, dueAt: now + pause });
    return 'again';
  }
}
