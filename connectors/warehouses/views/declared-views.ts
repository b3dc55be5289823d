import { tables } from '@aorta/schemas';
import { landedTable, type Privacy } from '../../privacy.ts';
import { type Group, isShown, type ShownView, type ViewDialect } from './dialect.ts';
import { views } from './views.ts';

/** A dialect that returns no SQL, because the descriptions of views do not depend on the dialect. */
const noDialect = new Proxy({} as ViewDialect, { get: () => () => '' });

export type ViewDescription = Omit<ShownView, 'query'> & { readonly group: Group };

export interface DeclaredViews {
  readonly shown: readonly ViewDescription[];
  /** Names of the views that do not exist, because privacy settings withhold their data. */
  readonly withheld: readonly string[];
}

/** Returns the views of every warehouse with their descriptions. */
export function declaredViews(privacy: Privacy): DeclaredViews {
  const landed = tables.map((table) => landedTable(table, privacy));
  const all = views(noDialect, landed, tables, {});
  return {
    shown: all.flatMap((view) =>
      isShown(view) ? [{ name: view.name, group: view.group, doc: view.doc, columns: view.columns }] : [],
    ),
    withheld: all.filter((view) => !isShown(view)).map(({ name }) => name),
  };
}
