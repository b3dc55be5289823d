import { type Field, typeOf } from '../server/tables/field.ts';
import { isSymbol, isWord, type Statement, type Token, tablePathAt } from './tokens.ts';

/**
 * The parts of a table's DDL statement that the emulator does not store, in the format of `tables.insert` and `tables.patch`. Null
 * removes a member.
 */
interface TableMembers {
  readonly timePartitioning?: { readonly field?: string; readonly type?: string; readonly expirationMs?: string | null };
  readonly clustering?: { readonly fields: readonly string[] };
  readonly tableConstraints?: { readonly primaryKey: { readonly columns: readonly string[] } } | null;
  readonly description?: string | null;
  readonly labels?: Readonly<Record<string, string>>;
  readonly requirePartitionFilter?: boolean;
  readonly expirationTime?: string | null;
}

const DAY_MS = 86_400_000;

/** A change to one column by ALTER TABLE. */
type ColumnChange =
  | { readonly kind: 'add'; readonly field: Field }
  | { readonly kind: 'drop' | 'relax'; readonly name: string }
  | { readonly kind: 'type'; readonly field: Field };

type ListedColumn = Field | Pick<Field, 'name' | 'description'>;

export type Definition =
  | {
      readonly kind: 'create';
      readonly what: 'table' | 'view';
      readonly parts: readonly string[];
      readonly ifNotExists: boolean;
      readonly temporary: boolean;
      readonly members: TableMembers;
      /** The columns, if the statement lists them. The columns of a view have no types. */
      readonly columns: readonly ListedColumn[] | undefined;
      /** The position of the query that defines the view or fills the table, if any. */
      readonly query: { readonly start: number; readonly end: number } | undefined;
      /** The parts of the statement that remain without its primary key and without the columns of a view, which the emulator cannot parse. */
      readonly kept: readonly { readonly start: number; readonly end: number }[];
    }
  | {
      readonly kind: 'alter';
      readonly parts: readonly string[];
      readonly columns: readonly ColumnChange[];
      readonly members: TableMembers;
      /** Whether the statement changes only metadata that this server stores. */
      readonly forServer: boolean;
    }
  | { readonly kind: 'drop'; readonly parts: readonly string[] };

/** Parses a DDL statement about a table or view; returns undefined for any other statement. */
export function definitionOf(statement: Statement): Definition | undefined {
  const { tokens } = statement;
  if (isWord(tokens[0], 'CREATE')) return creation(tokens);
  if (isWord(tokens[0], 'ALTER') && isWord(tokens[1], 'TABLE', 'VIEW')) return alteration(tokens);
  if (isWord(tokens[0], 'DROP') && isWord(tokens[1], 'TABLE', 'VIEW')) {
    const path = tablePathAt(tokens, skipWords(tokens, 2, 'IF', 'EXISTS'));
    return path === undefined ? undefined : { kind: 'drop', parts: path.parts };
  }
  return undefined;
}

function creation(tokens: readonly Token[]): Definition | undefined {
  let at = 1;
  let temporary = false;
  while (isWord(tokens[at], 'OR', 'REPLACE', 'TEMP', 'TEMPORARY')) {
    temporary ||= isWord(tokens[at], 'TEMP', 'TEMPORARY');
    at++;
  }
  if (!isWord(tokens[at], 'TABLE', 'VIEW')) return undefined;
  const what = isWord(tokens[at], 'TABLE') ? 'table' : 'view';
  const named = skipWords(tokens, at + 1, 'IF', 'NOT', 'EXISTS');
  const path = tablePathAt(tokens, named);
  if (path === undefined) return undefined;
  const ifNotExists = named > at + 1;
  let { next } = path;
  let constraints: Pick<TableMembers, 'tableConstraints'> = {};
  let columns: readonly ListedColumn[] | undefined;
  const dropped: { start: number; end: number }[] = [];
  if (isSymbol(tokens[next], '(')) {
    const end = closingOf(tokens, next);
    const listed = tokens.slice(next + 1, end);
    if (what === 'view') {
      columns = describedOf(listed);
      dropped.push({ start: tokens[next]!.start, end: tokens[end]!.end });
    } else {
      columns = columnsOf(listed);
      const key = primaryKeyIn(tokens, next, end);
      if (key !== undefined) {
        constraints = primaryKeyOf(key.names);
        dropped.push(key.span);
      }
    }
    next = end + 1;
  }
  const as = tokens.findIndex((token, index) => index >= next && isWord(token, 'AS'));
  const query = as < 0 ? undefined : { start: tokens[as + 1]!.start, end: tokens.at(-1)!.end };
  const members = { ...clausesFrom(tokens, next), ...constraints };
  const [first, last] = [tokens[0]!.start, tokens.at(-1)!.end];
  const kept =
    dropped.length === 0
      ? [{ start: first, end: last }]
      : [
          { start: first, end: dropped[0]!.start },
          { start: dropped[0]!.end, end: last },
        ];
  return { kind: 'create', what, parts: path.parts, ifNotExists, temporary, members, columns, query, kept };
}

const primaryKeyOf = (columns: readonly string[]): Pick<TableMembers, 'tableConstraints'> => ({
  tableConstraints: { primaryKey: { columns } },
});

/** Returns the primary key in a list of columns. The span includes the comma before it. */
function primaryKeyIn(
  tokens: readonly Token[],
  from: number,
  end: number,
): { readonly names: readonly string[]; readonly span: { start: number; end: number } } | undefined {
  const key = tokens.findIndex((token, index) => index > from && index < end && isWord(token, 'PRIMARY'));
  if (key < 0) return undefined;
  const { names, next } = namesAt(tokens, key + 2);
  const last = isWord(tokens[next + 1], 'ENFORCED') ? next + 1 : next - 1;
  return { names, span: { start: tokens[key - 1]!.start, end: tokens[last]!.end } };
}

/** Returns the columns that CREATE TABLE lists, with their modes and descriptions. */
function columnsOf(tokens: readonly Token[]): Field[] {
  return splitAt(tokens).flatMap((entry) => {
    const [name] = entry;
    if (name === undefined || isWord(name, 'PRIMARY', 'FOREIGN', 'CONSTRAINT')) return [];
    const { field, next } = fieldAt(name.text, entry, 1);
    const required = entry.some((token, index) => index >= next && isWord(token, 'NOT') && isWord(entry[index + 1], 'NULL'));
    const options = entry.findIndex((token, index) => index >= next && isWord(token, 'OPTIONS'));
    const { description } = options < 0 ? {} : optionsAt(entry, options + 1);
    return [{ ...field, ...(required ? { mode: 'REQUIRED' } : {}), ...(description ? { description } : {}) }];
  });
}

/** Returns the columns that CREATE VIEW lists, with their descriptions. */
function describedOf(tokens: readonly Token[]): Pick<Field, 'name' | 'description'>[] {
  return splitAt(tokens).flatMap(([name, ...rest]) => {
    if (name === undefined) return [];
    const { description } = isWord(rest[0], 'OPTIONS') ? optionsAt(rest, 1) : {};
    return [{ name: name.text, description: description || undefined }];
  });
}

/** Reads the clauses PARTITION BY, CLUSTER BY and OPTIONS that precede AS. */
function clausesFrom(tokens: readonly Token[], from: number): TableMembers {
  let members: TableMembers = {};
  for (let at = from; at < tokens.length && !isWord(tokens[at], 'AS'); at++) {
    const { timePartitioning: before } = members;
    if (isWord(tokens[at], 'PARTITION'))
      members = { ...members, timePartitioning: { ...before, ...partitioning(tokens, at + 2) } };
    if (isWord(tokens[at], 'CLUSTER')) members = { ...members, clustering: { fields: namesAt(tokens, at + 2).names } };
    if (isWord(tokens[at], 'OPTIONS')) {
      const { timePartitioning, ...options } = optionsAt(tokens, at + 1);
      members = { ...members, ...options, ...(timePartitioning && { timePartitioning: { ...before, ...timePartitioning } }) };
    }
  }
  return members;
}

/** Reads a partitioning such as `day`, `DATE(at)`, `TIMESTAMP_TRUNC(at, HOUR)` or `_PARTITIONDATE`. */
function partitioning(tokens: readonly Token[], at: number): { field?: string; type: string } {
  const called = isSymbol(tokens[at + 1], '(');
  const token = called ? tokens[at + 2] : tokens[at];
  const unit = called && isSymbol(tokens[at + 3], ',') ? tokens[at + 4]?.text.toUpperCase() : undefined;
  const name = token?.text ?? '';
  return { type: unit ?? 'DAY', field: /^_PARTITION/i.test(name) ? undefined : name };
}

function alteration(tokens: readonly Token[]): Definition | undefined {
  const path = tablePathAt(tokens, skipWords(tokens, 2, 'IF', 'EXISTS'));
  if (path === undefined) return undefined;
  const columns: ColumnChange[] = [];
  let members: TableMembers = {};
  let forServer = true;
  for (const action of splitAt(tokens.slice(path.next))) {
    if (isWord(action[0], 'SET') && isWord(action[1], 'OPTIONS')) members = { ...members, ...optionsAt(action, 2) };
    else if (isWord(action[0], 'ADD') && isWord(action[1], 'PRIMARY'))
      members = { ...members, ...primaryKeyOf(namesAt(action, 3).names) };
    else if (isWord(action[0], 'DROP') && isWord(action[1], 'PRIMARY')) members = { ...members, tableConstraints: null };
    else {
      forServer = false;
      const change = columnChange(action);
      if (change !== undefined) columns.push(change);
    }
  }
  return { kind: 'alter', parts: path.parts, columns, members, forServer };
}

function columnChange(action: readonly Token[]): ColumnChange | undefined {
  if (!isWord(action[1], 'COLUMN')) return undefined;
  const at = skipWords(action, 2, 'IF', 'NOT', 'EXISTS');
  const name = action[at]?.text ?? '';
  if (isWord(action[0], 'DROP')) return { kind: 'drop', name };
  if (isWord(action[0], 'ADD')) return { kind: 'add', field: fieldAt(name, action, at + 1).field };
  if (isWord(action[at + 1], 'DROP') && isWord(action[at + 2], 'NOT')) return { kind: 'relax', name };
  if (isWord(action[at + 1], 'SET') && isWord(action[at + 2], 'DATA'))
    return { kind: 'type', field: fieldAt(name, action, at + 4).field };
  return undefined;
}

/** Reads the column `name`. Its type begins at the token with index `at`. */
function fieldAt(name: string, tokens: readonly Token[], at: number): { readonly field: Field; readonly next: number } {
  const type = tokens[at]?.text.toUpperCase() ?? '';
  if (type === 'ARRAY') {
    const inner = fieldAt(name, tokens, at + 2);
    return { field: { ...inner.field, mode: 'REPEATED' }, next: inner.next + 1 };
  }
  if (type === 'STRUCT') {
    const fields: Field[] = [];
    let next = at + 1;
    do {
      const inner = fieldAt(tokens[next + 1]!.text, tokens, next + 2);
      fields.push(inner.field);
      next = inner.next;
    } while (isSymbol(tokens[next], ','));
    return { field: { name, type: 'RECORD', mode: 'NULLABLE', fields }, next: next + 1 };
  }
  let next = at + 1;
  if (isSymbol(tokens[next], '(')) next = closingOf(tokens, next) + 1;
  return { field: { name, type: typeOf({ name, type }), mode: 'NULLABLE' }, next };
}

function optionsAt(tokens: readonly Token[], open: number): TableMembers {
  const options: Record<string, unknown> = {};
  for (const entry of splitAt(tokens.slice(open + 1, closingOf(tokens, open)))) {
    const [name, , ...value] = entry;
    const first = value[0];
    const nothing = isWord(first, 'NULL');
    const text = value.find(({ kind }) => kind === 'string')?.text;
    switch (name?.text.toLowerCase()) {
      case 'description':
        if (nothing || text !== undefined) options.description = nothing ? null : text;
        break;
      case 'labels': {
        const strings = value.filter(({ kind }) => kind === 'string').map((token) => token.text);
        options.labels = Object.fromEntries(
          strings.flatMap((key, index) => (index % 2 === 0 ? [[key, strings[index + 1] ?? '']] : [])),
        );
        break;
      }
      case 'require_partition_filter':
        options.requirePartitionFilter = isWord(first, 'TRUE');
        break;
      case 'partition_expiration_days':
        options.timePartitioning = { expirationMs: nothing ? null : String(Number(first?.text) * DAY_MS) };
        break;
      case 'expiration_timestamp':
        if (nothing) options.expirationTime = null;
        else if (text !== undefined) options.expirationTime = String(Date.parse(text.replace(/ UTC$/, 'Z').replace(' ', 'T')));
        break;
      default:
    }
  }
  return options;
}

function namesAt(tokens: readonly Token[], at: number): { readonly names: readonly string[]; readonly next: number } {
  const names: string[] = [];
  let next = isSymbol(tokens[at], '(') ? at + 1 : at;
  for (;;) {
    const token = tokens[next];
    if (token?.kind !== 'word' && token?.kind !== 'name') break;
    names.push(token.text);
    next++;
    if (!isSymbol(tokens[next], ',')) break;
    next++;
  }
  return { names, next: isSymbol(tokens[next], ')') ? next + 1 : next };
}

function skipWords(tokens: readonly Token[], at: number, ...words: readonly string[]): number {
  let next = at;
  while (isWord(tokens[next], ...words)) next++;
  return next;
}

function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isSymbol(tokens[at], '(')) depth++;
    if (isSymbol(tokens[at], ')') && --depth === 0) return at;
  }
  return tokens.length;
}

/** Splits tokens at the commas that are not inside parentheses or brackets. */
function splitAt(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === 'symbol' && ['(', '[', '<'].includes(token.text)) depth++;
    if (token.kind === 'symbol' && [')', ']', '>'].includes(token.text)) depth--;
    if (depth === 0 && isSymbol(token, ',')) found.push([]);
    else found.at(-1)!.push(token);
  }
  return found.filter((part) => part.length > 0);
}
