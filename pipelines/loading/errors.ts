import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of the loader. */
export const loadingErrors = {
  'AORTA-STREAM-SHORTER': {
    class: 'setup',
    message: 'The stream {stream} ends at record {end}, but {position} of its records are in the tables.',
    remedy:
      'A segment of it is missing. Restore its folder from a backup, or move the folder away and load its deliveries again: nothing is doubled.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link loadingErrors}. */
export const LoadingError = errorsOf(loadingErrors);
