import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** What can go wrong with segments, the files of local streams. */
export const segmentErrors = {
  'AORTA-SEGMENT-TORN': {
    class: 'data',
    message: 'The segment {file} ended in the middle of a block: {bytes} bytes after record {record} were cut.',
    remedy: 'Nothing to do: the block had not been reported as durable, and its source sends it again.',
  },
  'AORTA-SEGMENT-CORRUPT': {
    class: 'setup',
    message: 'The segment {file} is damaged in the middle, in the block after record {record}.',
    remedy:
      "Restore the file from a backup, or move the stream's folder away and load its deliveries again: nothing is doubled. The other streams go on.",
  },
  'AORTA-STREAMS-MISSING': {
    class: 'usage',
    message: 'There are no streams at {folder} yet.',
    remedy: 'Load something first (aorta load FILE…), or name the place of the data with --warehouse, --data or --config.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link segmentErrors}. */
export const SegmentError = errorsOf(segmentErrors);
