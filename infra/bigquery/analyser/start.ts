import { statementsOf } from '../sql/statements.ts';
import type { Analyser, Analysis, AnalysisOptions } from './analyser.ts';
import { addedColumns, createdTable, kindOf, queryColumns } from './answer.ts';
import { catalogOf } from './catalog.ts';
import type { DeclaredColumn, DeclaredTable } from './declared.ts';
import { type AnalyserService, startService } from './service.ts';
import { analyserType } from './types.ts';

/** BigQuery features that the analyser's "maximum" does not include. */
const FEATURES = ['FEATURE_INTERVAL_TYPE', 'FEATURE_CREATE_TABLE_CLONE'];

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

class LocalAnalyser implements Analyser {
  readonly #service: AnalyserService;
  readonly #languageOptions: object;
  /** The ids of the catalogs that are registered with the analyser. The key is the list of tables in the catalog. */
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
