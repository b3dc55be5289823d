import type { DeclaredTable } from './declared.ts';
import { type AnalyserType, analyserType } from './types.ts';

/** A table in the format of the analyser's protocol. */
interface CatalogTable {
  readonly name: string;
  readonly serializationId: number;
  readonly column: readonly { readonly name: string; readonly type: AnalyserType }[];
}

/** A catalog in the format of the analyser's protocol. */
export interface Catalog {
  readonly name: string;
  readonly builtinFunctionOptions: { readonly languageOptions: object };
  readonly table: readonly CatalogTable[];
  readonly catalog: readonly Catalog[];
}

interface Folder {
  readonly tables: Map<string, CatalogTable>;
  readonly folders: Map<string, Folder>;
}

const emptyFolder = (): Folder => ({ tables: new Map(), folders: new Map() });

/**
 * Returns a catalog of all tables, under every name that statements may use. If two tables have the same name, the catalog
 * contains the later one.
 */
export function catalogOf(tables: readonly DeclaredTable[], languageOptions: object): Catalog {
  const root = emptyFolder();
  for (const [index, table] of tables.entries()) {
    const column = table.columns.map((one) => ({ name: one.name, type: analyserType(one) }));
    for (const path of pathsOf(table.name)) put(root, path, { name: path.at(-1)!, serializationId: index + 1, column });
  }
  return written('aorta', root, languageOptions);
}

/**
 * Returns the paths under which a statement may find a table. The project is optional. BigQuery accepts several parts in one
 * backticked name (`` `project.dataset`.table ``), which GoogleSQL treats as one name with dots.
 */
function pathsOf(name: string): string[][] {
  const parts = name.split('.');
  const shorter = parts.length > 2 ? [parts.slice(1)] : [];
  return [parts, ...shorter].flatMap(groupings);
}

/** Returns every path that the parts of a name can form. Each dot either separates two names or belongs to one of them. */
function groupings(parts: readonly string[]): string[][] {
  const [first, ...rest] = parts;
  if (rest.length === 0) return [[first!]];
  return groupings(rest).flatMap(([next, ...others]) => [
    [first!, next!, ...others],
    [`${first}.${next}`, ...others],
  ]);
}

function put(root: Folder, path: readonly string[], table: CatalogTable): void {
  let folder = root;
  for (const name of path.slice(0, -1)) {
    const inner = folder.folders.get(name.toLowerCase()) ?? emptyFolder();
    folder.folders.set(name.toLowerCase(), inner);
    folder = inner;
  }
  folder.tables.set(table.name.toLowerCase(), table);
}

function written(name: string, folder: Folder, languageOptions: object): Catalog {
  return {
    name,
    builtinFunctionOptions: { languageOptions },
    table: [...folder.tables.values()],
    catalog: [...folder.folders].map(([inner, content]) => written(inner, content, languageOptions)),
  };
}
