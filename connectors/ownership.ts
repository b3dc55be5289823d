/**
 * Who does a share of the work, where workers must not overlap: merging one target, say. The shares are names; each has
 * one owner at most at any time, and one before long as long as anybody takes part.
 *
 * That nobody else owns it holds while {@link Share.lost} is not aborted, and a worker that was cut off hears of its loss
 * late. What must not happen twice is guarded where it takes effect as well: a fence in the warehouse.
 */
export interface Ownership {
  /** The shares that are this worker's now. What it loses and is given again is another object. */
  owned(): readonly OwnedShare[];
  /** Gives all back, for others to take. Never rejects; again does nothing. */
  close(): Promise<void>;
}

export interface OwnedShare {
  readonly name: string;
  /** Aborts when the share is not this worker's any more. What is under way is ended before, where there is time for it. */
  readonly lost: AbortSignal;
}

export interface OwnershipOptions {
  /** Names of all shares. During an upgrade workers may know different ones. */
  readonly shares: readonly string[];
  /** Hears that shares came or went, or that taking part has ended: {@link Ownership.owned} throws then. */
  readonly onChange?: () => void;
  /** Shares go to another worker soon: resolves when nothing of them is under way. It is not waited for endlessly. */
  readonly onRelease?: (shares: readonly OwnedShare[]) => Promise<void>;
}

/** A worker that is alone: whoever has the lock of the data folder owns everything. */
export function ownAlone({ shares, onChange }: OwnershipOptions): Ownership {
  const end = new AbortController();
  let owned = shares.map((name) => ({ name, lost: end.signal }));
  return {
    owned: () => owned,
    close: async () => {
      if (end.signal.aborted) return;
      owned = [];
      end.abort();
      onChange?.();
    },
  };
}
