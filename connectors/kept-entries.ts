/**
 * A store of strings in which one worker leaves its state for the worker that continues its work. Entries are read when
 * the store is opened. Only one worker may write at a time. The callers must ensure this, for example with an {@link
 * Ownership}.
 */
export interface KeptEntries {
  /** Returns the entries that were found when the store was opened, and releases them from memory. Call it once. */
  take(): ReadonlyMap<string, string>;
  /** Writes the entries durably, in this order; null deletes an entry. After a failure, some of the first entries may already be written. */
  write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}
