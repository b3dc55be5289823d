/**
 * The steps of processing a delivery (consume → append → commit → land → merge → publish).
 * After each step, the program calls a {@link StepObserver}. In the fault tests, the observer kills the process after a
 * chosen step. In production, the observer does nothing.
 */
export type Step =
  | 'append:written' // Blocks are written to the segments, but not yet synced.
  | 'append:synced' // Blocks are on the disk, but the ends of the streams are not.
  | 'append:durable' // The records are durable in the streams.
  | 'source:committed' // The source's offsets are committed.
  | 'land:begun' // A landing transaction is open and contains rows.
  | 'land:durable' // The batch and its position are in the warehouse.
  | 'group:committed' // The loader's group has committed its offsets in the stream log.
  | 'merge:begun' // A merge transaction is open.
  | 'merge:durable' // A merge is committed, but its batches are not yet dropped.
  | 'batch:position' // The position that follows the merged batches is stored, but these batches are not yet dropped.
  | 'batch:dropped' // The merged batches are dropped.
  | 'kept:begun' // A transaction that recomputes kept tables is open.
  | 'kept:durable' // The kept tables contain everything that is merged.
  | 'publish:copied' // The copy is written under a temporary name.
  | 'publish:renamed'; // Readers see the copy.

export type StepObserver = (step: Step) => void;

export const unobserved: StepObserver = () => {};
