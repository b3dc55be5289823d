import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of the loader. */
export const loadingErrors = {
  'AORTA-STREAM-SHORTER': {
    class: 'setup',
    message: 'The stream {stream} ends at record {end}, but {position} of its records are in the tables.',
    remedy:
      'A segment is missing. Restore the folder of the stream from a backup, or move it away and load the deliveries again. This creates no duplicates.',
  },
} as const satisfies ErrorCatalogue;

export const LoadingError = errorsOf(loadingErrors);
