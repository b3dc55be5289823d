/**
 * The points between which a crash may fall, on the way consume → append → commit → land → merge → publish. A part calls
 * its observer as it passes one; the fault tests kill the process there. In operation nobody listens.
 */
export type Step =
  | 'upgrade:begun' // the upgrade of a warehouse to the present format has begun
  | 'upgrade:rows' // some of what an upgrade rewrites is rewritten
  | 'upgrade:durable' // the warehouse has the present format
  | 'append:written' // blocks are written to the segments, not yet synced
  | 'append:durable' // the streams hold the records
  | 'source:committed' // the source's positions are committed
  | 'land:begun' // a landing transaction is open, rows are in it
  | 'land:durable' // the batch and its position are in the warehouse
  | 'group:committed' // the job's group has committed in the stream log
  | 'merge:begun' // a merge transaction is open
  | 'merge:durable' // a merge is committed, its batches are not yet dropped
  | 'batch:position' // the position behind merged batches is written, they are not yet dropped
  | 'batch:dropped' // merged batches are gone
  | 'publish:copied' // the copy is written under its temporary name
  | 'publish:renamed'; // readers see the copy

export type StepObserver = (step: Step) => void;

export const unobserved: StepObserver = () => {};
