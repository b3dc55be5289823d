/**
 * The steps of consume → append → commit → land → merge → publish that a crash can separate. Each part calls its observer
 * after a step. The fault tests kill the process there; in production the observer does nothing.
 */
export type Step =
  | 'upgrade:begun' // the upgrade of a warehouse to the current format has begun
  | 'upgrade:rows' // the upgrade has rewritten some of the rows
  | 'upgrade:durable' // the warehouse has the current format
  | 'append:written' // blocks are written to the segments, not yet synced
  | 'append:durable' // the streams hold the records
  | 'source:committed' // the source's offsets are committed
  | 'land:begun' // a landing transaction is open and has rows
  | 'land:durable' // the batch and its position are in the warehouse
  | 'group:committed' // the job's group has committed in the stream log
  | 'merge:begun' // a merge transaction is open
  | 'merge:durable' // a merge is committed, its batches are not yet dropped
  | 'batch:position' // the position after the merged batches is written, they are not yet dropped
  | 'batch:dropped' // the merged batches are dropped
  | 'publish:copied' // the copy is written under a temporary name
  | 'publish:renamed'; // readers see the copy

export type StepObserver = (step: Step) => void;

export const unobserved: StepObserver = () => {};
