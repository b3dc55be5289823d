const HOUR_MS = 3_600_000;
/** The clock of an endpoint starts if its failures of one day lie this far apart. */
const APART_MS = 12 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/** An endpoint is disabled when it has failed for this long since its clock started. */
const DISABLED_AFTER_MS = 5 * DAY_MS;

/** The failures of an endpoint since its last success. Times are in milliseconds since 1970. */
export interface Failing {
  readonly since: number;
  /** The first failure that may start the clock: at most a day before the last one. */
  readonly first: number;
  readonly last: number;
  /** When a further failure disables the endpoint; null while the clock has not started. */
  readonly disableAt: number | null;
}

/** Returns the failures with one more, which happened now. */
export function afterFailure(before: Failing | null, now: number): Failing {
  if (before === null) return { since: now, first: now, last: now, disableAt: null };
  const { since, last } = before;
  if (before.disableAt !== null) return { ...before, last: now };
  // Without a clock, the failures from `first` to `last` lie less than 12 hours apart, so `last` decides like any of them.
  const first = [before.first, last].find((time) => now - time <= DAY_MS) ?? now;
  return { since, first, last: now, disableAt: now - first >= APART_MS ? now + DISABLED_AFTER_MS : null };
}

/** Returns whether an endpoint whose last failure happened now is disabled by it. */
export function isDisabling({ last, disableAt }: Failing): boolean {
  return disableAt !== null && last >= disableAt;
}
