import { z } from 'zod';

/** Something that an event announced, and that is to be fetched. */
export interface Owed {
  /** Names it: what is announced again before it was fetched is fetched once. */
  readonly key: string;
  readonly userId: string;
  /** When it was announced last, in milliseconds since 1970: what is announced anew is another one. */
  readonly since: number;
  /** Attempts that have failed and count. */
  readonly attempts: number;
  /** When the next attempt may be made, in milliseconds since 1970. */
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

/** Failed attempts after which it is given up: three days, about. */
export const QUOTA = 20;

/** What is owed: pure, with the time passed in. */
export class OwedSet {
  readonly #all: Map<string, Owed>;

  constructor(all: readonly Owed[] = []) {
    // Of what is there twice, the last announcement counts.
    this.#all = new Map([...all].sort((a, b) => a.since - b.since).map((one) => [one.key, one]));
  }

  get size(): number {
    return this.#all.size;
  }

  get all(): readonly Owed[] {
    return [...this.#all.values()];
  }

  /** Announced, once more perhaps: what changed since is asked for anew, without the failures of before. */
  announce(key: string, userId: string, now: number): void {
    this.#all.set(key, { key, userId, since: now, attempts: 0, dueAt: now });
  }

  /** Those whose time has come, the longest waiting first. */
  due(now: number, most: number): readonly Owed[] {
    return this.all
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt)
      .slice(0, most);
  }

  /** When the next one is due; infinite where nothing is owed. */
  nextAt(): number {
    return this.all.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Number.POSITIVE_INFINITY);
  }

  settle(key: string): void {
    this.#all.delete(key);
  }

  /** An attempt has failed. Says whether that was the last one, and then nothing is owed any more. */
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
