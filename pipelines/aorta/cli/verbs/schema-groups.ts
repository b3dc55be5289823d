import type { Privacy, WarehouseReader } from '@aorta/connectors';
import { declaredViews, type Group, groupOfTable, groups } from '@aorta/connectors/warehouses';
import { deliveries, tables, timeseriesResources } from '@aorta/schemas';
import { table } from '../printing/table.ts';
import { styled, type Terminal } from '../printing/terminal.ts';

/** A table or view, as `aorta schema --group` lists it. */
interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly group: Group;
  readonly what: string;
  /** Whether it has rows; null if the warehouse was not read. */
  readonly has_rows: boolean | null;
}

const resources = new Set(timeseriesResources.map(({ resource }) => resource));

/**
 * Returns the tables and views of one group, or of all. A view that builds on others comes before them, and the views of
 * resources and the tables come last.
 */
export function relationsOf(wanted: Group | undefined, privacy: Privacy): Relation[] {
  const views = declaredViews(privacy).shown.toReversed();
  const isOfResource = ({ name }: { readonly name: string }): boolean => resources.has(name);
  const ordered = [...views.filter((view) => !isOfResource(view)), ...views.filter(isOfResource).toReversed()];
  const all: Relation[] = [
    ...ordered.map(({ name, group, doc }) => ({ name, kind: 'view' as const, group, what: doc, has_rows: null })),
    ...[...tables, deliveries].map((one) => ({
      name: one.name,
      kind: 'table' as const,
      group: groupOfTable(one),
      what: one.doc,
      has_rows: null,
    })),
  ];
  return groups
    .filter((group) => wanted === undefined || group === wanted)
    .flatMap((group) => all.filter((one) => one.group === group));
}

/** Asks the warehouse which of the tables and views have rows. Each must exist there. */
export async function withRows(relations: readonly Relation[], reader: WarehouseReader): Promise<Relation[]> {
  const sql = relations
    .map(({ name }) => `select '${name}' as name, exists (select 1 from ${name}) as has_rows`)
    .join('\nunion all\n');
  const found = new Map<string, boolean>();
  for await (const batch of (await reader.query(sql)).rows)
    for (const [name, has] of batch) found.set(String(name), has === true);
  return relations.map((one) => ({ ...one, has_rows: found.get(one.name) ?? null }));
}

/** Returns the groups as text. Tables and views without rows are named in one line below each group. */
export function groupsText(relations: readonly Relation[], { out }: Terminal): string {
  const sections = [...Map.groupBy(relations, ({ group }) => group)].map(([group, some]) => {
    const [empty, shown] = [some.filter(({ has_rows }) => has_rows === false), some.filter(({ has_rows }) => has_rows !== false)];
    const list = table(
      [{ name: 'table or view' }, { name: 'one row is' }],
      shown.map(({ name, what }) => [name, firstSentence(what)]),
      out.columns,
    );
    const without = empty.length === 0 ? '' : `Without rows: ${empty.map(({ name }) => name).join(', ')}\n`;
    return `${styled(out, 'bold', group)}\n${shown.length === 0 ? '' : list}${without}`;
  });
  return sections.join('\n');
}

/** Returns the first sentence of a description. */
export function firstSentence(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}
