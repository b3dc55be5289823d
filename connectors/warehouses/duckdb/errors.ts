import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

/** What can go wrong with the DuckDB file. */
export const duckDbErrors = {
  'AORTA-WAREHOUSE-LOCKED': {
    class: 'setup',
    message: 'The warehouse {path} is in use by another process.',
    remedy:
      'DuckDB lets one process write: one worker lands and merges, however many take deliveries in (`aorta run --only consumers`). Stop the other one, or read the published copy beside it with `aorta query`. Several workers need BigQuery as their warehouse.',
  },
  'AORTA-WAREHOUSE-UNPUBLISHED': {
    class: 'transient',
    message: 'Another process is making the tables of {path}; none are published yet.',
    remedy: 'Try again in a moment.',
  },
  'AORTA-WAREHOUSE-UNREADABLE': {
    class: 'setup',
    message: 'The warehouse {path} cannot be opened ({problem}).',
    remedy:
      'If the file was written by a newer version of Aorta or DuckDB, use that version. Otherwise move the file away: the tables are rebuilt from the streams.',
  },
  'AORTA-WAREHOUSE-COLUMN': {
    class: 'setup',
    message: 'The warehouse {path} is of another version: column {column} of {table} {problem}.',
    remedy:
      'Nothing was changed. Use the version that wrote the file, or move it and its published copy away: aorta run --only loading --once makes the tables again from the streams.',
  },
  'AORTA-WAREHOUSE-FAILED': {
    class: 'setup',
    message: 'The warehouse refused {step} ({problem}).',
    remedy: 'Nothing was committed. Run `aorta doctor`, then start again.',
  },
} as const satisfies ErrorCatalogue;

/** An error of {@link duckDbErrors}. */
export const DuckDbError = errorsOf(duckDbErrors);
