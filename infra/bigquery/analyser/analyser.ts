import type { DeclaredColumn, DeclaredTable } from './declared.ts';

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
