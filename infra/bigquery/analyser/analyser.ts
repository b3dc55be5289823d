import type { DeclaredColumn, DeclaredTable } from './declared.ts';

/** What GoogleSQL says of a text. */
export type Analysis =
  | {
      readonly accepted: true;
      /** The kinds of its statements, such as `resolvedMergeStmtNode`, in order. */
      readonly statements: readonly string[];
      /** The columns that the last statement gives, where it is a query. */
      readonly columns: readonly DeclaredColumn[];
    }
  | {
      readonly accepted: false;
      /** Which statement of the text was refused, from 1. */
      readonly statement: number;
      /** GoogleSQL's own words, with line and column. */
      readonly message: string;
    };

export interface AnalysisOptions {
  /** Types of named parameters (`@from`), as columns without a table. */
  readonly parameters?: readonly DeclaredColumn[];
}

/** GoogleSQL's own analyser, in a process of its own. */
export interface Analyser {
  /**
   * Whether GoogleSQL accepts a text: one statement, or several with semicolons between, over tables of which it knows only
   * these. What the text itself creates, later statements of it may use.
   */
  analyse(sql: string, tables: readonly DeclaredTable[], options?: AnalysisOptions): Promise<Analysis>;
  close(): Promise<void>;
}
