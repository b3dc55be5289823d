import { backoff } from '@aorta/runtime';
import type { MergeRange } from './landed-dates.ts';
import type { MergePart, MergeTarget, PendingMerge } from './pending-merge.ts';

/** Shortest and longest pause before a batch that was set aside is retried, in milliseconds. */
const FIRST_PAUSE_MS = 3_600_000;
const LAST_PAUSE_MS = 86_400_000;

interface Aside {
  readonly batch: string;
  readonly target: string;
  readonly failures: number;
  readonly until: number;
}

interface Named {
  readonly name: string;
}

const keyOf = (batch: string, target: string, range: MergeRange): string => `${target}/${range}/${batch}`;

/**
 * Batches that could not be merged into a table even one at a time. Other merges continue without them. Each is retried after
 * an hour, then with exponential backoff up to a day. The class is pure: the caller passes the time.
 */
export class SetAside {
  readonly #aside = new Map<string, Aside>();

  /** Sets a batch aside after a merge of this batch alone has failed. */
  add(batch: string, target: string, range: MergeRange, now: number): void {
    const key = keyOf(batch, target, range);
    const failures = (this.#aside.get(key)?.failures ?? 0) + 1;
    const pause = backoff(failures, FIRST_PAUSE_MS, LAST_PAUSE_MS);
    this.#aside.set(key, { batch, target, failures, until: now + pause });
  }

  /** Removes a batch after its merge has succeeded. */
  remove(batch: string, target: string, range: MergeRange): void {
    this.#aside.delete(keyOf(batch, target, range));
  }

  keep(isThere: (batch: string) => boolean): void {
    for (const [key, { batch }] of this.#aside) if (!isThere(batch)) this.#aside.delete(key);
  }

  /**
   * Splits a merge: returns one merge of the batches that are not set aside, and one merge for each set-aside batch whose
   * retry is due. If `always` is true, every retry is due. A batch that fails again therefore does not affect the others.
   */
  apart<T extends MergeTarget, B extends Named>(merge: PendingMerge<T, B>, now: number, always: boolean): PendingMerge<T, B>[] {
    return this.waiting([merge])
      .filter(({ until }) => until === undefined || always || until <= now)
      .map(({ merge: part }) => part);
  }

  /**
   * Splits each merge into one merge of the batches that are not set aside and one merge for each set-aside batch. `until` is
   * the time of that batch's next retry.
   */
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

  counts(): ReadonlyMap<string, number> {
    const byTarget = Map.groupBy(this.#aside.values(), ({ target }) => target);
    return new Map([...byTarget].map(([target, some]) => [target, new Set(some.map(({ batch }) => batch)).size]));
  }
}
