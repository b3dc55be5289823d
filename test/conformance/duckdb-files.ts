import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/duckdb/module';
import { afterAll, beforeAll } from 'vitest';
import type { WarehouseUnderTest } from './warehouse-under-test.ts';

/** Registers the hooks of a test file that compares DuckDB files with the model. Returns how to create one. */
export function duckDbFiles(): () => Promise<WarehouseUnderTest> {
  const root = mkdtempSync(join(tmpdir(), 'aorta-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  // The clock stands still, so that no merge becomes due merely because time passes.
  const settingsOf = (path: string) => ({
    ...duckDbOptions.parse({ type: 'duckdb', path, old_rows: 6 }),
    privacy: privacyOptions.parse({}),
    clock: () => 0,
  });

  const empty = join(root, 'empty.duckdb');
  beforeAll(async () => {
    await (await openDuckDbWarehouse(settingsOf(empty))).close();
  });

  /** Copies the empty warehouse, because creating all tables and views takes longer than most histories. */
  async function create(): Promise<WarehouseUnderTest> {
    const folder = mkdtempSync(join(root, 'made-'));
    const path = join(folder, 'warehouse.duckdb');
    copyFileSync(empty, path);
    const settings = settingsOf(path);
    return {
      open: () => openDuckDbWarehouse(settings),
      read: () => openDuckDbReader({ path, pace: settings }),
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  }
  return create;
}
