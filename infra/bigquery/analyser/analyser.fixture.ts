import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts, startGuarded } from '@aorta/machine';
import { until } from '../../machine/waiting.fixture.ts';
import { statementsOf } from '../sql/tokens.ts';

/** BigQuery features that the analyser's "maximum" does not include. */
const FEATURES = ['FEATURE_INTERVAL_TYPE', 'FEATURE_CREATE_TABLE_CLONE'];

/** The analyser's answer to a statement. It is a tree, and `node` is the key of the nested, more specific node. */
interface AnalyserAnswer {
  readonly resolvedStatement: { readonly node: string } & Readonly<Record<string, unknown>>;
}

/** A type in the format of the analyser's protocol. */
interface AnalyserType {
  readonly typeKind: string;
  readonly arrayType?: { readonly elementType: AnalyserType };
  readonly structType?: { readonly field?: readonly { readonly fieldName?: string; readonly fieldType: AnalyserType }[] };
}

/** Maps BigQuery's type names to the protocol's type names, for types whose names differ. */
const KINDS: Readonly<Record<string, string>> = { INTEGER: 'INT64', FLOAT: 'DOUBLE', FLOAT64: 'DOUBLE', BOOLEAN: 'BOOL' };
const NAMES: Readonly<Record<string, string>> = { DOUBLE: 'FLOAT64' };

/** A column, in the format of a table's schema in BigQuery's REST API. */
export interface DeclaredColumn {
  readonly name: string;
  /** The type, under either of its names: INTEGER or INT64, FLOAT or FLOAT64, BOOLEAN or BOOL, RECORD or STRUCT. */
  readonly type: string;
  /** The default is NULLABLE. */
  readonly mode?: string;
  /** The fields of a RECORD. */
  readonly fields?: readonly DeclaredColumn[];
}

/** A table or view that statements may use. */
export interface DeclaredTable {
  /** The name as statements write it, without backticks: `table`, `dataset.table` or `project.dataset.table`. */
  readonly name: string;
  readonly columns: readonly DeclaredColumn[];
}

function analyserType({ type, mode, fields = [] }: DeclaredColumn): AnalyserType {
  const name = type.toUpperCase().replace(/\(.*\)$/, '');
  const single: AnalyserType =
    name === 'RECORD' || name === 'STRUCT'
      ? {
          typeKind: 'TYPE_STRUCT',
          structType: { field: fields.map((field) => ({ fieldName: field.name, fieldType: analyserType(field) })) },
        }
      : { typeKind: `TYPE_${KINDS[name] ?? name}` };
  return mode?.toUpperCase() === 'REPEATED' ? { typeKind: 'TYPE_ARRAY', arrayType: { elementType: single } } : single;
}

/** Returns a column with this name and type, in the format of BigQuery's REST API. */
function declaredColumn(name: string, type: AnalyserType): DeclaredColumn {
  if (type.arrayType !== undefined) return { ...declaredColumn(name, type.arrayType.elementType), mode: 'REPEATED' };
  if (type.structType !== undefined) {
    const fields = (type.structType.field ?? []).map((field) => declaredColumn(field.fieldName ?? '', field.fieldType));
    return { name, type: 'STRUCT', fields };
  }
  const kind = type.typeKind.replace(/^TYPE_/, '');
  return { name, type: NAMES[kind] ?? kind };
}

/** A table in the format of the analyser's protocol. */
interface CatalogTable {
  readonly name: string;
  readonly serializationId: number;
  readonly column: readonly { readonly name: string; readonly type: AnalyserType }[];
}

/** A catalog in the format of the analyser's protocol. */
interface Catalog {
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
function catalogOf(tables: readonly DeclaredTable[], languageOptions: object): Catalog {
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

/**
 * The part of the analyser's protocol that is used here. If the analyser refuses a request, the promise rejects with an error
 * whose `details` contain GoogleSQL's message.
 */
interface AnalyserService {
  GetLanguageOptions(request: { maximumFeatures: true }): Promise<{ enabledLanguageFeatures: string[] }>;
  RegisterCatalog(request: { simpleCatalog: Catalog }): Promise<{ registeredId: number }>;
  Analyze(request: { options: object; registeredCatalogId: number; sqlStatement: string }): Promise<AnalyserAnswer>;
  /** Ends the analyser's process. */
  close(): Promise<void>;
}

type Callback = (error: Error | null, answer: unknown) => void;
type Method = (request: object, callback: Callback) => void;

interface Grpc {
  readonly credentials: { createInsecure(): unknown };
  loadPackageDefinition(definition: unknown): {
    zetasql: {
      local_service: {
        ZetaSqlLocalService: new (
          address: string,
          credentials: unknown,
          options: object,
        ) => Record<string, Method> & {
          close(): void;
        };
      };
    };
  };
}

interface ProtoLoader {
  loadSync(file: string, options: object): unknown;
}

const LARGEST = 500 * 1024 * 1024;

/**
 * Starts the analyser, which is a program in the npm package `@fivetrandevelopers/zetasql`. The program ends when `close` is
 * called or when this process ends.
 */
async function startService(): Promise<AnalyserService> {
  // The package's own client allows only one instance per process, and represents 64-bit integers as objects. Therefore this
  // function builds its own client from the package's dependencies, and resolves them from the package.
  const require = createRequire(import.meta.url);
  const home = join(dirname(require.resolve('@fivetrandevelopers/zetasql/package.json')), 'lib', 'zetasql');
  const { resolve } = createRequire(require.resolve('@fivetrandevelopers/zetasql/package.json'));
  const grpc = require(resolve('@grpc/grpc-js')) as Grpc;
  const { loadSync } = require(resolve('@grpc/proto-loader')) as ProtoLoader;
  const [port] = await freePorts(1);
  const address = `localhost:${port}`;
  const program = join(
    home,
    `remote_server${process.arch.startsWith('arm') ? '_arm' : ''}${process.platform === 'darwin' ? '' : '.so'}`,
  );
  const guarded = await startGuarded(program, ['localhost', String(port)], { log: join(tmpdir(), 'aorta-analyser.log') });
  const definition = loadSync('local_service.proto', {
    defaults: false,
    oneofs: true,
    enums: String,
    longs: Number,
    includeDirs: [join(home, 'protos')],
  });
  const { ZetaSqlLocalService } = grpc.loadPackageDefinition(definition).zetasql.local_service;
  const client = new ZetaSqlLocalService(address, grpc.credentials.createInsecure(), {
    'grpc.max_send_message_length': LARGEST,
    'grpc.max_receive_message_length': LARGEST,
  });
  const call = <Answer>(method: string, request: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      client[method]!(request, (error, answer) => (error === null ? resolve(answer as Answer) : reject(error)));
    });
  const close = async (): Promise<void> => {
    client.close();
    guarded.signal('SIGKILL');
    await guarded.ended;
  };
  const answers = (): Promise<boolean> =>
    call('FormatSql', { sql: 'SELECT 1' }).then(
      () => true,
      () => false,
    );
  try {
    await until('the GoogleSQL analyser to answer', async () => !guarded.running || (await answers()));
    if (!guarded.running) {
      throw new Error(
        'The GoogleSQL analyser did not start. It runs only on Linux and macOS. See aorta-analyser.log in the temporary folder.',
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    GetLanguageOptions: (request) => call('GetLanguageOptions', request),
    RegisterCatalog: (request) => call('RegisterCatalog', request),
    Analyze: (request) => call('Analyze', request),
    close,
  };
}

/** The result of analysing SQL text. */
export type Analysis =
  | {
      readonly accepted: true;
      /** The kind of each statement, in order, such as `resolvedMergeStmtNode`. */
      readonly statements: readonly string[];
      /** The columns that the last statement returns, if it is a query. */
      readonly columns: readonly DeclaredColumn[];
    }
  | {
      readonly accepted: false;
      /** The number of the refused statement, from 1. */
      readonly statement: number;
      /** GoogleSQL's error message, with line and column. */
      readonly message: string;
    };

export interface AnalysisOptions {
  /** The name and type of each named parameter, such as `@from`, in the format of a column. */
  readonly parameters?: readonly DeclaredColumn[];
}

/** GoogleSQL's own analyser, in a separate process. */
export interface Analyser {
  /**
   * Analyses one statement, or several separated by semicolons. The analyser knows only the given tables, and tables created by
   * earlier statements in `sql`.
   */
  analyse(sql: string, tables: readonly DeclaredTable[], options?: AnalysisOptions): Promise<Analysis>;
  close(): Promise<void>;
}

/** Starts the analyser. Its process ends when `close` is called or when this process ends, even if this process is killed. */
export async function startAnalyser(): Promise<Analyser> {
  const service = await startService();
  const { enabledLanguageFeatures, ...rest } = await service.GetLanguageOptions({ maximumFeatures: true });
  return new LocalAnalyser(service, {
    ...rest,
    enabledLanguageFeatures: [...new Set([...enabledLanguageFeatures, ...FEATURES])],
    // An empty list allows all kinds.
    supportedStatementKinds: [],
    productMode: 'PRODUCT_EXTERNAL',
  });
}

interface NamedType {
  readonly name: string;
  readonly type: AnalyserType;
}

interface OutputColumn {
  readonly name?: string;
  readonly column: { readonly type: AnalyserType };
}

/** Returns the most specific kind of a statement. In the protocol, its node is nested in the nodes of more general kinds. */
function kindOf({ resolvedStatement }: AnalyserAnswer): string {
  let node: Readonly<Record<string, unknown>> = resolvedStatement;
  while (typeof node.node === 'string' && typeof (node[node.node] as { node?: unknown }).node === 'string')
    node = node[node.node] as Readonly<Record<string, unknown>>;
  return node.node as string;
}

/** Returns the columns of a query, or an empty list for any other statement. */
function queryColumns({ resolvedStatement }: AnalyserAnswer): DeclaredColumn[] {
  const query = resolvedStatement.resolvedQueryStmtNode as { outputColumnList?: readonly OutputColumn[] } | undefined;
  return (query?.outputColumnList ?? []).map(({ name = '', column }) => declaredColumn(name, column.type));
}

/** Returns the table or view that a statement creates, or undefined if it creates none. */
function createdTable({ resolvedStatement }: AnalyserAnswer): DeclaredTable | undefined {
  const created = resolvedStatement.resolvedCreateStatementNode;
  const columns = found(created, 'columnDefinitionList') as readonly NamedType[] | undefined;
  const path = found(created, 'namePath') as readonly string[] | undefined;
  if (columns === undefined || path === undefined) return undefined;
  return { name: path.join('.'), columns: columns.map(({ name, type }) => declaredColumn(name, type)) };
}

/** Returns the columns that a statement adds, with the name of their table. Returns undefined if it adds none. */
function addedColumns({ resolvedStatement }: AnalyserAnswer): DeclaredTable | undefined {
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

class LocalAnalyser implements Analyser {
  readonly #service: AnalyserService;
  readonly #languageOptions: object;
  /** Ids of the catalogs that are registered with the analyser, keyed by their list of tables. */
  readonly #registered = new WeakMap<readonly DeclaredTable[], Promise<number>>();

  constructor(service: AnalyserService, languageOptions: object) {
    this.#service = service;
    this.#languageOptions = languageOptions;
  }

  async analyse(sql: string, tables: readonly DeclaredTable[], { parameters = [] }: AnalysisOptions = {}): Promise<Analysis> {
    const statements: string[] = [];
    let columns: readonly DeclaredColumn[] = [];
    let known = tables;
    for (const { start, end } of statementsOf(sql)) {
      // The text before the statement is replaced by spaces, so that positions in messages are positions in the whole text.
      const text = `${sql.slice(0, start).replace(/[^\n]/g, ' ')}${sql.slice(start, end)}`;
      try {
        const answer = await this.#service.Analyze({
          options: this.#options(parameters),
          registeredCatalogId: await this.#catalog(known),
          sqlStatement: text,
        });
        statements.push(kindOf(answer));
        columns = queryColumns(answer);
        const created = createdTable(answer);
        if (created !== undefined) known = [...known, created];
        const added = addedColumns(answer);
        if (added !== undefined) known = withColumns(known, added);
      } catch (error) {
        const { details } = error as { readonly details?: string };
        if (details === undefined) throw error;
        return { accepted: false, statement: statements.length + 1, message: details };
      }
    }
    return { accepted: true, statements, columns };
  }

  async close(): Promise<void> {
    await this.#service.close();
  }

  #catalog(tables: readonly DeclaredTable[]): Promise<number> {
    let registered = this.#registered.get(tables);
    if (registered === undefined) {
      const simpleCatalog = catalogOf(tables, this.#languageOptions);
      registered = this.#service.RegisterCatalog({ simpleCatalog }).then(({ registeredId }) => registeredId);
      this.#registered.set(tables, registered);
    }
    return registered;
  }

  #options(parameters: readonly DeclaredColumn[]): object {
    return {
      languageOptions: this.#languageOptions,
      parameterMode: 'PARAMETER_NAMED',
      queryParameters: parameters.map((one) => ({ name: one.name, type: analyserType(one) })),
      errorMessageMode: 'ERROR_MESSAGE_ONE_LINE',
      defaultTimezone: 'UTC',
      parseLocationRecordType: 'PARSE_LOCATION_RECORD_NONE',
    };
  }
}

/**
 * Returns the tables. Each table whose name matches that of `added` also gets the columns of `added`. Two names match if one of
 * them ends with the other, such as `dataset.table` and `table`.
 */
function withColumns(tables: readonly DeclaredTable[], added: DeclaredTable): DeclaredTable[] {
  const same = (name: string): boolean => `.${name}`.endsWith(`.${added.name}`) || `.${added.name}`.endsWith(`.${name}`);
  return tables.map((table) => {
    if (!same(table.name)) return table;
    const names = new Set(table.columns.map(({ name }) => name.toLowerCase()));
    return { ...table, columns: [...table.columns, ...added.columns.filter(({ name }) => !names.has(name.toLowerCase()))] };
  });
}
