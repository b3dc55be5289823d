import { type Definition, definitionOf } from '../../sql/definition.ts';
import { readingOf, type StatementFacts } from '../../sql/statement-facts.ts';
import { type Statement, statementsOf } from '../../sql/statements.ts';
import type { TableName } from '../tables/table-name.ts';
import type { Json } from '../upstream.ts';

/** The parsed text of a query job. */
export interface QueryPlan {
  readonly text: string;
  readonly statements: readonly {
    readonly statement: Statement;
    readonly reading: StatementFacts;
    readonly definition: Definition | undefined;
  }[];
  /** The default dataset, for table names without a dataset. */
  readonly dataset: string | undefined;
}

export function planOf(query: Json): QueryPlan {
  const text = query.query ?? '';
  const statements = statementsOf(text).map((statement) => ({
    statement,
    reading: readingOf(statement),
    definition: definitionOf(statement),
  }));
  return { text, statements, dataset: query.defaultDataset?.datasetId };
}

/** Returns the tables that a plan's DML statements change. There is one entry per statement, in the order of the statements. */
export function mutationsOf(plan: QueryPlan): { readonly name: TableName; readonly kind: StatementFacts['kind'] }[] {
  return plan.statements.flatMap(({ reading }) => {
    const name = reading.target === undefined ? undefined : nameOf(plan, reading.target.parts);
    return name === undefined ? [] : [{ name, kind: reading.kind }];
  });
}

export function datasetsOf(plan: QueryPlan): string[] {
  const named = plan.statements.flatMap(({ reading, definition }) => [
    ...reading.tables.map(({ parts }) => parts),
    ...(definition === undefined || (definition.kind === 'create' && definition.temporary) ? [] : [definition.parts]),
  ]);
  return named.flatMap((parts) => nameOf(plan, parts)?.dataset ?? []);
}

/** Returns the table that a name in a plan refers to; undefined if it is not a table. */
export function nameOf(plan: QueryPlan, parts: readonly string[]): TableName | undefined {
  if (parts.some((part) => part.toUpperCase() === 'INFORMATION_SCHEMA')) return undefined;
  const [table, dataset = plan.dataset] = [...parts].reverse();
  return table === undefined || dataset === undefined ? undefined : { dataset, table };
}
