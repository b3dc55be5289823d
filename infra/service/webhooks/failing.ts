const HOUR_MS = 3_600_000;
/** Two failures within one day that are at least this far apart start the clock of an endpoint. */
const APART_MS = 12 * HOUR_MS;
const DAY_MS = 24 * HOUR_MS;
/** The first failure this long after the clock started disables the endpoint. */
const DISABLED_AFTER_MS = 5 * DAY_MS;

/** The failures of an endpoint since its last success. Times are in milliseconds since 1970. */
export interface Failing {
  readonly since: number;
  /** The failure with which a later one is compared. Until the clock starts, it is at most a day before the last failure. */
  readonly first: number;
  readonly last: number;
  /** A failure at or after this time disables the endpoint. Null until the clock starts. */
  readonly disableAt: number | null;
}

/** Adds a failure that happened now. */
export function afterFailure(before: Failing | null, now: number): Failing {
  if (before === null) return { since: now, first: now, last: now, disableAt: null };
  const { since, last } = before;
  if (before.disableAt !== null) return { ...before, last: now };
  // Until the clock starts, `first` and `last` are less than 12 hours apart, so the failures between them need not be kept.
  const first = [before.first, last].find((time) => now - time <= DAY_MS) ?? now;
  return { since, first, last: now, disableAt: now - first >= APART_MS ? now + DISABLED_AFTER_MS : null };
}

/** Returns whether an endpoint whose last failure happened now is disabled by it. */
export function isDisabling({ last, disableAt }: Failing): boolean {
  return disableAt !== null && last >= disableAt;
}
