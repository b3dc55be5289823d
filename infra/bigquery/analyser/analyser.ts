import type { DeclaredColumn, DeclaredTable } from './declared.ts';

/** The result of analysing SQL text. */
export type Analysis =
  | {
      readonly accepted: true;
      /** The kinds of the statements in order, such as `resolvedMergeStmtNode`. */
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
  /** Types of named parameters (`@from`), as columns without a table. */
  readonly parameters?: readonly DeclaredColumn[];
}

/** GoogleSQL's own analyser, in a separate process. */
export interface Analyser {
  /**
   * Analyses one statement, or several separated by semicolons. The analyser knows only the given tables, and those that earlier
   * statements of the text create.
   */
  analyse(sql: string, tables: readonly DeclaredTable[], options?: AnalysisOptions): Promise<Analysis>;
  close(): Promise<void>;
}
