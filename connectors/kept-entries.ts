/**
 * A text store in which one worker leaves its state for the worker that continues its work. Entries are read when the
 * store is opened. Only one worker may write at a time: callers ensure that, for example with an {@link Ownership}.
 */
export interface KeptEntries {
  /** Returns the entries found on opening and releases them from memory. Call it once. */
  take(): ReadonlyMap<string, string>;
  /** Writes the entries durably, in this order; null deletes an entry. If it fails, only the first entries may be written. */
  write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}
