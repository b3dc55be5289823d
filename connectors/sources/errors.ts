import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors that every source with committed offsets can report. */
export const sourceErrors = {
  'AORTA-RECEIPTS-LOST': {
    class: 'setup',
    message:
      'Events of partition {partition} of the source {source} are missing in the streams. The group {group} has taken offset {offset}, but the highest offset in the streams is {highest}.',
    remedy:
      'The streams were deleted, or replaced by an older copy. Stop all workers. Then {rewind}. The next run reads the events again, if the broker still has them, and no row is duplicated.',
  },
  'AORTA-RECEIPTS-ELSEWHERE': {
    class: 'setup',
    message: 'The streams do not contain the last events of the source {source} that the group {group} has taken ({partitions}).',
    remedy:
      'If another data folder has taken them, or if a person has set the offsets of the group, nothing is wrong. Otherwise, the streams were deleted or replaced: see "Events are missing in the streams" in docs/runbook.md.',
  },
} as const satisfies ErrorCatalogue;

export const SourceError = errorsOf(sourceErrors);
