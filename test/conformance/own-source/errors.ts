import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** What can go wrong with line files. */
export const lineFilesErrors = {
  'LINE-FILES-EMPTY-LINE': {
    class: 'data',
    message: 'Line {line} of {partition} is empty.',
    remedy: 'The other lines are taken. Look whether a producer lost a delivery there.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link lineFilesErrors}. */
export const LineFilesError = errorsOf(lineFilesErrors);
