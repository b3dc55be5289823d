/** A partition as the checkpoint store knows it: nobody's, or somebody's who was heard of, or no longer. */
export interface Holding {
  readonly partition: string;
  /** Empty for nobody. */
  readonly owner: string;
  readonly expired: boolean;
}

/**
 * Which partitions `worker` should claim now, beside those that it has: all that are nobody's up to its share, and of
 * those who have at least two more than it would have, until no one does. Workers that all follow this end up
 * with shares that differ by one at most, and then none takes anything from another.
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
  // While something is free, others may be about to take it: taking theirs would be hasty.
  if (free.length > claims.length || claims.length > 0) return claims;
  const others = [...held].filter(([owner]) => owner !== worker).map(([, theirs]) => [...theirs]);
  for (;;) {
    const fullest = others.reduce<string[]>((most, theirs) => (theirs.length > most.length ? theirs : most), []);
    if (fullest.length < mine + claims.length + 2) return claims;
    claims.push(fullest.pop()!);
  }
}

/** A claim of one partition, as it was seen in the store. */
export interface SeenClaim {
  readonly partition: string;
  readonly owner: string;
  /** Changes with each renewal. */
  readonly mark: string;
  /** Milliseconds since its last change, by the clocks of this machine and of the store. */
  readonly age: number;
}

/**
 * Which workers have expired, by what this process has seen itself. A worker lives while any of its claims changes: each
 * renews one of them only, since every renewal is a write request. Clocks of workers and of the store are compared only
 * with a large allowance, for the claims of a worker that has long been gone.
 */
export class Expiry {
  readonly #expiryMs: number;
  readonly #seen = new Map<string, { readonly mark: string; readonly since: number }>();

  constructor(expiryMs: number) {
    this.#expiryMs = expiryMs;
  }

  /** The workers that have expired at `now` (of a clock that never jumps), given all claims of one hub. */
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

/** Clocks of two machines differ by less, in milliseconds. */
const CLOCKS_DIFFER = 60_000;
