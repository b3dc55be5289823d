import type { MergeRange } from './landed-dates.ts';
import type { MergePart, MergeTarget, PendingMerge } from './pending-merge.ts';

/** First and longest pause before a batch that was set aside is tried again, in milliseconds. */
const FIRST_PAUSE_MS = 3_600_000;
const LAST_PAUSE_MS = 86_400_000;

interface Aside {
  readonly batch: string;
  readonly target: string;
  readonly failures: number;
  /** When it is tried again. */
  readonly until: number;
}

interface Named {
  readonly name: string;
}

const keyOf = (batch: string, target: string, range: MergeRange): string => `${target}/${range}/${batch}`;

/**
 * Batches that a table cannot take although each was merged alone: other batches go on without them. Each is tried again
 * after an hour, then after ever longer pauses. Pure: the caller brings the time.
 */
export class SetAside {
  readonly #aside = new Map<string, Aside>();

  /** A batch failed in a merge of its own. */
  add(batch: string, target: string, range: MergeRange, now: number): void {
    const key = keyOf(batch, target, range);
    const failures = (this.#aside.get(key)?.failures ?? 0) + 1;
    const pause = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    this.#aside.set(key, { batch, target, failures, until: now + pause });
  }

  /** A batch was merged into a table after all. */
  remove(batch: string, target: string, range: MergeRange): void {
    this.#aside.delete(keyOf(batch, target, range));
  }

  /** Forgets batches whose landing tables are gone. */
  keep(isThere: (batch: string) => boolean): void {
    for (const [key, { batch }] of this.#aside) if (!isThere(batch)) this.#aside.delete(key);
  }

  /**
   * The merge without the batches that are set aside, then each of these by itself if its time has come (or `always`), so
   * that one that fails again costs the others nothing.
   */
  apart<T extends MergeTarget, B extends Named>(merge: PendingMerge<T, B>, now: number, always: boolean): PendingMerge<T, B>[] {
    return this.waiting([merge])
      .filter(({ until }) => until === undefined || always || until <= now)
      .map(({ merge: part }) => part);
  }

  /** Merges as they wait: that of the batches which are not set aside, and each of the others with the time of its next try. */
  waiting<T extends MergeTarget, B extends Named>(
    merges: readonly PendingMerge<T, B>[],
  ): { readonly merge: PendingMerge<T, B>; readonly until: number | undefined }[] {
    return merges.flatMap((merge) => {
      const untilOf = ({ batch }: MergePart<B>): number | undefined =>
        this.#aside.get(keyOf(batch.name, merge.target.name, merge.range))?.until;
      const others = merge.parts.filter((part) => untilOf(part) === undefined);
      const aside = merge.parts.flatMap((part) => {
        const until = untilOf(part);
        return until === undefined ? [] : [{ merge: { ...merge, parts: [part] }, until }];
      });
      return others.length === 0 ? aside : [{ merge: { ...merge, parts: others }, until: undefined }, ...aside];
    });
  }

  /** By table: how many batches are set aside. */
  counts(): ReadonlyMap<string, number> {
    const byTarget = Map.groupBy(this.#aside.values(), ({ target }) => target);
    return new Map([...byTarget].map(([target, some]) => [target, new Set(some.map(({ batch }) => batch)).size]));
  }
}
