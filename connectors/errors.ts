import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** Errors that every warehouse can raise, as specified in `warehouse.ts`. */
export const warehouseErrors = {
  'AORTA-WAREHOUSE-MISSING': {
    class: 'usage',
    message: 'There is no warehouse at {path} yet.',
    remedy:
      'If there is one elsewhere, name it with `--warehouse`. Otherwise load something first with `aorta load FILE…`. If the streams already hold records, `aorta run --only loading --once` creates the tables from them.',
  },
  'AORTA-WAREHOUSE-OLDER': {
    class: 'setup',
    message: 'The warehouse {path} was written by an older version of Aorta (format {found}; this version reads format {known}).',
    remedy:
      'Use the version that wrote it. Or name a different file or dataset in `warehouse`, and run `aorta run --only loading --once` to rebuild the tables from the streams.',
  },
  'AORTA-QUERY-NOT-READ-ONLY': {
    class: 'usage',
    message: 'Only one SELECT is allowed here; this is {statement}.',
    remedy: 'Write one statement that starts with SELECT, WITH, FROM, VALUES, PIVOT, DESCRIBE or SUMMARIZE.',
  },
  'AORTA-QUERY-FAILED': {
    class: 'usage',
    message: 'The query failed: {problem}.',
    remedy: '{hint}',
  },
} as const satisfies ErrorCatalogue;

export const WarehouseError = errorsOf(warehouseErrors);
