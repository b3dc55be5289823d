import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const lineFilesErrors = {
  'LINE-FILES-EMPTY-LINE': {
    class: 'data',
    message: 'Line {line} of {partition} is empty.',
    remedy: 'The other lines are read. Check whether a producer lost a delivery there.',
  },
} as const satisfies ErrorCatalogue;

export const LineFilesError = errorsOf(lineFilesErrors);
