import { defaultData, type WarehouseAdapter } from '@aorta/connectors';
import { z } from 'zod';

/** Example of a custom warehouse: an SQLite file that is opened with Node's built-in SQLite. */
const sqliteOptions = z.strictObject({
  type: z.literal('sqlite').describe('One SQLite file on this machine.'),
  path: z.string().min(1).default(`${defaultData}/warehouse.sqlite`).describe('The file.'),
});

export type SqliteSettings = z.output<typeof sqliteOptions>;

/** The loader thread imports the adapter under this name. */
export const warehouse: WarehouseAdapter<SqliteSettings> = {
  type: 'sqlite',
  product: 'SQLite',
  noun: 'a SQLite file',
  options: sqliteOptions,
  address: import.meta.url,
  load: async () => (await import('./module.ts')).sqlite,
  describe: ({ path }) => ({ text: `sqlite:${path}`, facts: { path }, empty: `none yet at ${path}` }),
  onDisk: {
    name: 'warehouse.sqlite',
    field: 'path',
    filesOf: (path) => [path, `${path}-journal`, `${path}-wal`, `${path}-shm`],
  },
};
