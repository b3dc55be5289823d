import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { privacyOptions } from '@aorta/connectors';
import { duckDbOptions } from '@aorta/connectors/warehouses/duckdb';
import { openDuckDbReader, openDuckDbWarehouse } from '@aorta/connectors/warehouses/duckdb/module';
import { type Step, silentLogger } from '@aorta/runtime';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { expectOrdered, leaveAsOlder, type UpgradedWarehouse, versionUpgrade } from './version-upgrade.ts';

/** Number of the file format before the upgrade, if no user has been erased from the file. */
const FORMAT_BEFORE = 2;

async function create(): Promise<UpgradedWarehouse & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'aorta-'));
  const path = join(folder, 'warehouse.duckdb');
  const settings = {
    ...duckDbOptions.parse({ type: 'duckdb', path }),
    privacy: privacyOptions.parse({}),
  };
  return {
    path,
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
      await connection.run(`update control.format set format = ${FORMAT_BEFORE}`);
      connection.closeSync();
      instance.closeSync();
    },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens the warehouse in a child process that kills itself at the given step. Returns the signal that ended it. */
function killedAt(path: string, step: Step): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'version-upgrade.process.ts'), path, step], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_, signal) => resolve(signal));
  });
}

test('after kill -9 at any step of the upgrade, the next process finishes it', async () => {
  const under = await create();
  try {
    await leaveAsOlder(under);
    for (const step of ['upgrade:begun', 'upgrade:rows', 'upgrade:durable'] as const)
      expect([step, await killedAt(under.path, step)]).toEqual([step, 'SIGKILL']);
    const warehouse = await under.open();
    expect(warehouse.landed({ stream: 'activity', partition: 0 })).toBeUndefined();
    await expectOrdered(under, warehouse);
  } finally {
    await under.remove();
  }
});

versionUpgrade('DuckDB', create, { runs: 15 * Number(process.env.SOAK ?? 1), records: 40 });
