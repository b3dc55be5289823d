import { type AortaError, isAortaError } from '@aorta/runtime';

/** Code of the error with which a write rejects after another worker has opened the store. */
const TAKEN_OVER = 'AORTA-STREAM-STATE-TAKEN';

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

/** Returns whether a write was refused because another worker has taken over the work. */
export function isTakenOver(error: unknown): boolean {
  return isAortaError(error) && error.code === TAKEN_OVER;
}

/**
 * A store of named strings through which a worker passes its state to the worker that takes over its work. Opening the store
 * takes it over and reads the entries. From then on, the writes of earlier owners reject, even if such a worker does not know
 * yet that it has lost its {@link Ownership}.
 */
export interface KeptEntries {
  /** Set if the store was damaged, so that no entries were found. */
  readonly damage?: AortaError | undefined;
  /** Returns the entries that were found when the store was opened, and releases them from memory. Call it once. */
  take(): ReadonlyMap<string, string>;
  /**
   * Writes the entries durably, in this order. If the text is null, the entry is deleted. If the call fails, the first few
   * entries may already be stored. Rejects with an error that {@link isTakenOver} recognizes if another worker has taken over.
   */
  write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** A member of a consumer group, as the broker describes it. */
export interface GroupMember {
  /** Client name that the member sent to the broker. */
  readonly client: string;
  /** Address from which the member connects. */
  readonly host: string;
  /** Number of assigned partitions, including those without records. */
  readonly assigned: number;
  /** Assigned partitions to which records have been written, even if all of them were deleted later. */
  readonly partitions: readonly MemberPartition[];
}

export interface MemberPartition {
  /** Topic of a source, or name of a stream. */
  readonly of: string;
  readonly partition: number;
  /** Number of records that the group has not committed yet; null if unknown. */
  readonly lag: number | null;
}

/** Converts the members reported by the broker. `factsOf` returns undefined for a partition without records. */
export function groupMembers<Partition>(
  members: readonly { readonly client: string; readonly host: string; readonly partitions: readonly Partition[] }[],
  factsOf: (partition: Partition) => MemberPartition | undefined = () => undefined,
): GroupMember[] {
  return members.map(({ client, host, partitions }) => ({
    client,
    host,
    assigned: partitions.length,
    partitions: partitions.map(factsOf).filter((facts) => facts !== undefined),
  }));
}
