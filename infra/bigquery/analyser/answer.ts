import type { DeclaredColumn, DeclaredTable } from './declared.ts';
import type { AnalyserAnswer } from './service.ts';
import { type AnalyserType, declaredColumn } from './types.ts';

interface NamedType {
  readonly name: string;
  readonly type: AnalyserType;
}

interface OutputColumn {
  readonly name?: string;
  readonly column: { readonly type: AnalyserType };
}

/** Returns the most specific kind of a statement. In the protocol, its node is nested in the nodes of more general kinds. */
export function kindOf({ resolvedStatement }: AnalyserAnswer): string {
  let node: Readonly<Record<string, unknown>> = resolvedStatement;
  while (typeof node.node === 'string' && typeof (node[node.node] as { node?: unknown }).node === 'string')
    node = node[node.node] as Readonly<Record<string, unknown>>;
  return node.node as string;
}

/** Returns the columns of a query, or an empty list for any other statement. */
export function queryColumns({ resolvedStatement }: AnalyserAnswer): DeclaredColumn[] {
  const query = resolvedStatement.resolvedQueryStmtNode as { outputColumnList?: readonly OutputColumn[] } | undefined;
  return (query?.outputColumnList ?? []).map(({ name = '', column }) => declaredColumn(name, column.type));
}

/** Returns the table or view that a statement creates, or undefined if it creates none. */
export function createdTable({ resolvedStatement }: AnalyserAnswer): DeclaredTable | undefined {
  const created = resolvedStatement.resolvedCreateStatementNode;
  const columns = found(created, 'columnDefinitionList') as readonly NamedType[] | undefined;
  const path = found(created, 'namePath') as readonly string[] | undefined;
  if (columns === undefined || path === undefined) return undefined;
  return { name: path.join('.'), columns: columns.map(({ name, type }) => declaredColumn(name, type)) };
}

/** Returns the columns that a statement adds, with the name of their table. Returns undefined if it adds none. */
export function addedColumns({ resolvedStatement }: AnalyserAnswer): DeclaredTable | undefined {
  const altered = resolvedStatement.resolvedAlterObjectStmtNode;
  const path = found(altered, 'namePath') as readonly string[] | undefined;
  const actions = found(altered, 'alterActionList') as readonly object[] | undefined;
  const columns = (actions ?? [])
    .map((action) => found(action, 'columnDefinition') as NamedType | undefined)
    .filter((column) => column !== undefined);
  if (path === undefined || columns.length === 0) return undefined;
  return { name: path.join('.'), columns: columns.map(({ name, type }) => declaredColumn(name, type)) };
}

/** Searches the tree level by level, and returns the first member with this name. */
function found(tree: unknown, name: string): unknown {
  let level = [tree];
  while (level.length > 0) {
    const objects = level.filter((one): one is Readonly<Record<string, unknown>> => typeof one === 'object' && one !== null);
    const owner = objects.find((one) => one[name] !== undefined);
    if (owner !== undefined) return owner[name];
    level = objects.filter((one) => !Array.isArray(one)).flatMap((one) => Object.values(one));
  }
  return undefined;
}
