/** A partition's claim in the checkpoint store. */
export interface Holding {
  readonly partition: string;
  /** Empty if no worker has claimed the partition. */
  readonly owner: string;
  readonly expired: boolean;
}

/**
 * Returns the partitions that `worker` should claim in addition to its own. The worker claims free partitions up to its
 * fair share. If none are free, it takes partitions from the workers that have the most, as long as those have at least
 * two partitions more than `worker`. If all workers follow this rule, their partition counts soon differ by at most
 * one, and then no more partitions move.
 */
export function partitionsToClaim(worker: string, partitions: readonly string[], holdings: readonly Holding[]): string[] {
  const owners = new Map(holdings.filter(({ expired }) => !expired).map(({ partition, owner }) => [partition, owner]));
  const held = new Map<string, string[]>([[worker, []]]);
  const free: string[] = [];
  for (const partition of partitions) {
    const owner = owners.get(partition) ?? '';
    if (owner === '') free.push(partition);
    else if (held.has(owner)) held.get(owner)!.push(partition);
    else held.set(owner, [partition]);
  }
  const mine = held.get(worker)!.length;
  const share = Math.ceil(partitions.length / held.size);
  const claims = free.slice(0, Math.max(0, share - mine));
  // As long as there are free partitions, other workers may be about to claim some of them. Do not take partitions from
  // these workers yet.
  if (free.length > claims.length || claims.length > 0) return claims;
  const others = [...held].filter(([owner]) => owner !== worker).map(([, theirs]) => [...theirs]);
  for (;;) {
    const fullest = others.reduce<string[]>((most, theirs) => (theirs.length > most.length ? theirs : most), []);
    if (fullest.length < mine + claims.length + 2) return claims;
    claims.push(fullest.pop()!);
  }
}

/** A claim of one partition, as read from the store. */
export interface SeenClaim {
  readonly partition: string;
  readonly owner: string;
  /** Changes with each renewal. */
  readonly mark: string;
  /** Milliseconds since the claim's last change: this machine's time minus the store's timestamp of the change. */
  readonly age: number;
}

/**
 * Detects expired workers from what this process has observed. A worker is alive while any of its claims changes. A
 * worker renews only one claim per hub, since every renewal is a write request. A claim's age depends on two different
 * clocks. It is therefore only used, with a large tolerance, to detect workers that ended long ago.
 */
export class Expiry {
  readonly #expiryMs: number;
  readonly #seen = new Map<string, { readonly mark: string; readonly since: number }>();

  constructor(expiryMs: number) {
    this.#expiryMs = expiryMs;
  }

  /** Returns the workers that have expired at `now` (monotonic clock), given all claims of one hub. */
  expired(claims: readonly SeenClaim[], now: number): ReadonlySet<string> {
    const changedAt = new Map<string, number>();
    const youngest = new Map<string, number>();
    for (const { partition, owner, mark, age } of claims) {
      const seen = this.#seen.get(partition);
      const since = seen?.mark === mark ? seen.since : now;
      if (since === now) this.#seen.set(partition, { mark, since });
      changedAt.set(owner, Math.max(since, changedAt.get(owner) ?? since));
      youngest.set(owner, Math.min(age, youngest.get(owner) ?? age));
    }
    const isExpired = (owner: string): boolean =>
      now - changedAt.get(owner)! >= this.#expiryMs || youngest.get(owner)! >= this.#expiryMs + CLOCKS_DIFFER;
    return new Set([...changedAt.keys()].filter(isExpired));
  }
}

/** Assumed maximum difference between the clocks of two machines, in milliseconds. */
const CLOCKS_DIFFER = 60_000;
