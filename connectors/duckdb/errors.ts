import { type ErrorCatalogue, errorsOf } from '@aorta/runtime';

export const duckDbErrors = {
  'AORTA-WAREHOUSE-LOCKED': {
    class: 'setup',
    message: 'The warehouse {path} is in use by {holder}.',
    remedy:
      'DuckDB allows only one process to write. Stop the other process, or read the published copy with `aorta query`. Any number of processes can run `aorta run --only ingestion`, but several loaders need BigQuery as their warehouse.',
  },
  'AORTA-WAREHOUSE-UNPUBLISHED': {
    class: 'transient',
    message: 'Another process is creating the tables of {path}; none are published yet.',
    remedy: 'Try again in a moment.',
  },
  'AORTA-COPY-WAL': {
    class: 'setup',
    message:
      'Another program wrote to the published copy {path}. Its write-ahead log {path}.wal would change what every reader sees.',
    remedy:
      'Let that program open the copy read-only. A running loader removes the log when it publishes the next copy. If no loader is running, run `aorta run --only loading --once`.',
  },
  'AORTA-COPY-HELD': {
    class: 'setup',
    message: 'The published copy {path} is open for writing in {holder}, so no other program can read it.',
    remedy:
      'Let that program open the copy read-only, or end it. The tables are not affected: the next publication replaces the copy.',
  },
  'AORTA-COPY-UNREADABLE': {
    class: 'setup',
    message: 'The published copy {path} cannot be opened ({problem}).',
    remedy:
      'If a newer version of Aorta or DuckDB wrote the copy, use that version. Otherwise run `aorta run --only loading --once` to publish a new one.',
  },
  'AORTA-COPY-DENIED': {
    class: 'setup',
    message: 'This user has no permission to open {path}.',
    remedy:
      'Run the command as the owner of the file. To let a group read the published copy, set `published_group` in `warehouse`.',
  },
  'AORTA-COPY-GROUP': {
    class: 'setup',
    message: 'The folder {folder} of the published copy cannot be opened to {group} ({code}).',
    remedy:
      'Keep the warehouse in a folder of its own, with the mode 0700. The process must own this folder and be a member of the group. Then correct `published_group` and `published_mode` in `warehouse`.',
  },
  'AORTA-WAREHOUSE-UNREADABLE': {
    class: 'setup',
    message: 'The warehouse {path} cannot be opened ({problem}).',
    remedy:
      'Check that the path is right. If the file was written by a newer version of Aorta or DuckDB, use that version. Otherwise check the streams with `aorta doctor --deep`, and move the file away, and its log {path}.wal if there is one. Then `aorta run --only loading --once` rebuilds the tables from the streams.',
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
