import { isAortaError } from '@aorta/runtime';

/** Code of the error with which a write rejects after another worker has opened the store. */
const TAKEN_OVER = 'AORTA-STREAM-STATE-TAKEN';

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
