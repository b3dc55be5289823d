/**
 * Divides work among workers so that no two of them do the same part at the same time. A share is a named part of the
 * work, such as merging one target. Each share is assigned to at most one worker. While any worker is available, a share
 * without an owner is soon assigned again.
 *
 * A worker that loses its connection notices the loss late: another worker may own the share before {@link
 * OwnedShare.lost} aborts. Effects that must not happen twice therefore need a second guard, such as a fence in the
 * warehouse.
 */
export interface Ownership {
  /** Returns the shares that this worker owns now. If a share is lost and assigned again, it is a new object. */
  owned(): readonly OwnedShare[];
  /** Gives all shares back. Never rejects. Further calls do nothing. */
  close(): Promise<void>;
}

export interface OwnedShare {
  readonly name: string;
  /** Aborts when this worker no longer owns the share. If possible, work in progress is allowed to finish first. */
  readonly lost: AbortSignal;
}

export interface OwnershipOptions {
  /** Names of all shares. During an upgrade, workers may have different lists. */
  readonly shares: readonly string[];
  /**
   * Called after shares were assigned or lost, and after the membership has failed. After such a failure,
   * {@link Ownership.owned} throws.
   */
  readonly onChange?: () => void;
  /**
   * Called before shares move to another worker. The promise must resolve once all work on these shares has stopped. The
   * shares move even if it has not resolved by a deadline.
   */
  readonly onRelease?: (shares: readonly OwnedShare[]) => Promise<void>;
}

/** Returns the ownership for a single worker, which owns every share because it holds the data folder's lock. */
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
