import { privacyOptions } from '../privacy.ts';
import type { Opening } from '../warehouses/random-history.fixture.ts';
import { openDuckDbWarehouse } from './duckdb-warehouse.ts';
import { duckDbOptions } from './options.ts';

/** Opens the file for a history. */
export const historyFile =
  (path: string): Opening =>
  (clock, preferences) =>
    openDuckDbWarehouse({
      ...duckDbOptions.parse({ type: 'duckdb', path }),
      privacy: privacyOptions.parse({}),
      preferences,
      clock: () => clock.now,
    });
