import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtIn, type Registry } from '@aorta/connectors/registry';

const root = join(import.meta.dirname, '..', '..');

/** A built-in adapter, the registry's list that contains it, and the folder of its `adapter.ts`. */
export interface PlacedAdapter {
  readonly list: keyof Registry;
  readonly type: string;
  readonly folder: string;
}

/** All folders below `connectors` that have an `adapter.ts`, wherever they are. */
export const adapterFolders: readonly string[] = globSync('connectors/*/**/adapter.ts', { cwd: root }).map(dirname).sort();

/** The built-in adapters. The list that contains an adapter determines its kind, so an adapter's folder may be anywhere. */
export const placedAdapters: readonly PlacedAdapter[] = (await Promise.all(adapterFolders.map(placedIn))).flat();

/** Returns the folders of the adapters in one list of the registry. */
export const foldersOf = (list: keyof Registry): readonly string[] =>
  placedAdapters.filter((adapter) => adapter.list === list).map(({ folder }) => folder);

async function placedIn(folder: string): Promise<PlacedAdapter[]> {
  const exported = Object.values((await import(join(root, folder, 'adapter.ts'))) as object);
  return (['sources', 'streamLogs', 'warehouses'] as const).flatMap((list) =>
    builtIn[list].filter((adapter) => exported.includes(adapter)).map(({ type }) => ({ list, type, folder })),
  );
}
