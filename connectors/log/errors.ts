import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors about segments, which are the files of local streams. */
export const segmentErrors = {
  'AORTA-SEGMENT-TORN': {
    class: 'data',
    message:
      'The segment {file} ended in an incomplete block: {bytes} bytes were cut, and the stream now ends at position {record}.',
    remedy: 'No action is needed: the block was never reported as durable, and the source delivers its records again.',
  },
  'AORTA-SEGMENT-CORRUPT': {
    class: 'setup',
    message: 'The segment {file} is damaged: records from {record} on cannot be read.',
    remedy:
      "Restore the file from a backup, or move the stream's folder away and load its deliveries again; no row is duplicated. Other streams are not affected.",
  },
  'AORTA-STREAMS-MISSING': {
    class: 'usage',
    message: 'There are no streams at {folder} yet.',
    remedy: 'Load data first (`aorta load FILE…`), or pass the location of the data with --warehouse, --data or --config.',
  },
} as const satisfies ErrorCatalogue;

export const SegmentError = errorsOf(segmentErrors);
