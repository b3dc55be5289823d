import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { defaultData } from '../adapter.ts';
import type { WarehouseAdapter } from '../warehouse.ts';
import { duckDbErrors } from './errors.ts';
import { addressOf, type DuckDbSettings, duckDbOptions } from './options.ts';
import { filesOf, isCopy, publishedPath } from './published-copy.ts';

const FILE = 'warehouse.duckdb';

/** Maximum size in bytes of a file that a run publishes before it stops. Copying a larger file would make the operator wait for minutes. */
const QUICKLY_COPIED = 1e9;

/** Matches the absolute path of a warehouse that was meant to be elsewhere, such as `s3://bucket/w.duckdb` or `md:w`. */
const elsewhere = /\/(?:(?:s3|gs|gcs|r2|az|azure|abfss|hf|https?):\/|(?:md|motherduck):[^/]*$|:memory:[^/]*$)/i;

export const warehouse: WarehouseAdapter<DuckDbSettings> = {
  type: 'duckdb',
  errors: duckDbErrors,
  product: 'DuckDB',
  noun: 'a DuckDB file',
  options: duckDbOptions.extend({
    type: z.literal('duckdb').describe('One DuckDB file on this machine.'),
    path: duckDbOptions.shape.path.default(`${defaultData}/${FILE}`),
  }),
  address: import.meta.url,
  load: async () => (await import('./module.ts')).duckDb,
  describe: ({ path }) => ({ text: addressOf({ path }), status: path, facts: { path }, empty: `none yet at ${path}` }),
  onDisk: {
    name: FILE,
    field: 'path',
    filesOf,
    // DuckDB would write its write-ahead log to a different path.
    problemOf: (path) => {
      if (path.includes('?')) return 'DuckDB takes the text after a question mark for parameters';
      if (elsewhere.test(path)) return 'Aorta writes a DuckDB file on this machine, not in a bucket, in MotherDuck or in memory';
      if (isCopy(path)) return 'it is the published copy of a warehouse: name the warehouse itself';
      return undefined;
    },
  },
  isPublishedSoon: async ({ path }) => (await stat(path)).size < QUICKLY_COPIED,
  watchEveryMs: 2_000,
  stampOf: ({ path }) => {
    for (const file of [publishedPath(path), path])
      try {
        const { ino, mtimeMs, size } = statSync(file);
        return `${file} ${ino} ${mtimeMs} ${size}`;
      } catch {
        // This file does not exist, so the loop tries the other one.
      }
    return undefined;
  },
};
