import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@aorta/telemetry';
import { duckDbOptions, privacyOptions } from '@aorta/warehouse';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/warehouse/duckdb';
import { DuckDBInstance } from '@duckdb/node-api';
import { type UpgradedWarehouse, versionUpgrade } from './version-upgrade.ts';

/** The format of files out of which nobody was erased, before first versions were put in order. */
const FORMAT_BEFORE = 2;

async function create(): Promise<UpgradedWarehouse> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  const path = join(folder, 'warehouse.duckdb');
  const settings = {
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
  };
  return {
    open: ({ order, onStep, onWarning } = {}) =>
      openDuckDbWarehouse({
        ...settings,
        ...(order === undefined ? {} : { summary_order: order }),
        ...(onStep === undefined ? {} : { onStep }),
        logger: { ...silentLogger, warn: (event, fields = {}) => onWarning?.(event, fields) },
      }),
    read: () => openDuckDbReader({ path }),
    setBack: async () => {
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      await connection.run(`update aorta.format set format = ${FORMAT_BEFORE}`);
      connection.closeSync();
      instance.closeSync();
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

versionUpgrade('DuckDB', create, { runs: 15 * Number(process.env.SOAK ?? 1), records: 40 });
