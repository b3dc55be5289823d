import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of the loader. */
export const loadingErrors = {
  'AORTA-STREAM-SHORTER': {
    class: 'setup',
    message: 'The stream {stream} ends at record {end}, but the tables contain {position} of its records.',
    remedy:
      'A segment is missing. Restore the stream’s folder from a backup, or move the folder away and load the deliveries again. This creates no duplicates.',
  },
} as const satisfies ErrorCatalogue;

export const LoadingError = errorsOf(loadingErrors);
