/**
 * What one worker remembers for the worker that continues its work: texts by name. They are read when they are opened.
 * One worker writes at a time: the workers that open them see to that, for example by an `Ownership`.
 */
export interface KeptEntries {
  /** What was kept when it was opened: once, since it may be much. */
  take(): ReadonlyMap<string, string>;
  /** Durably, in this order; null takes an entry away. If it fails, the first entries may be kept and the rest not. */
  write(entries: readonly (readonly [name: string, text: string | null])[]): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}
