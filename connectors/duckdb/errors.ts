import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const duckDbErrors = {
  'AORTA-WAREHOUSE-LOCKED': {
    class: 'setup',
    message: 'The warehouse {path} is in use by another process.',
    remedy:
      'DuckDB allows only one process to write. Stop the other process, or read the published copy with `aorta query`. Any number of processes can run `aorta run --only ingestion`, but several loaders need BigQuery as their warehouse.',
  },
  'AORTA-WAREHOUSE-UNPUBLISHED': {
    class: 'transient',
    message: 'Another process is creating the tables of {path}; none are published yet.',
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
    message: 'The warehouse {path} belongs to a different version: column {column} of {table} {problem}.',
    remedy:
      'Nothing was changed. Use the version that wrote the file. Or move the file and its published copy away, and run `aorta run --only loading --once` to rebuild the tables from the streams.',
  },
  'AORTA-WAREHOUSE-FAILED': {
    class: 'setup',
    message: 'The warehouse refused {step} ({problem}).',
    remedy: 'Nothing was committed. Run `aorta doctor`, then start again.',
  },
} as const satisfies ErrorCatalogue;

export const DuckDbError = errorsOf(duckDbErrors);
