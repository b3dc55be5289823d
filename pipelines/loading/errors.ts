import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors of the loader. */
export const loadingErrors = {
  'AORTA-STREAM-SHORTER': {
    class: 'setup',
    message: 'The stream {stream} ends at record {end}, but the tables contain {position} of its records.',
    remedy:
      'The streams are older than the tables, for example because only the streams were restored. Start Aorta: it then reads this stream again from its start, and duplicates no row. `aorta doctor` says which sources to read again.',
  },
} as const satisfies ErrorCatalogue;

export const LoadingError = errorsOf(loadingErrors);
