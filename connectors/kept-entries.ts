/**
 * A store of named strings through which a worker passes its state to the worker that takes over its work. The entries
 * are read when the store is opened. Callers must ensure that only one worker writes at a time, for example with an
 * {@link Ownership}.
 */
export interface KeptEntries {
  /** Returns the entries that were found when the store was opened, and releases them from memory. Call it once. */
  take(): ReadonlyMap<string, string>;
  /**
   * Writes the entries durably, in this order. If the text is null, the entry is deleted. If the call fails, the first few
   * entries may already be stored.
   */
  write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}
