/** Why there is no local BigQuery: what happened, and what to do. */
export class BigQueryProblem extends Error {
  readonly problem: string;
  readonly hint: string;

  constructor(problem: string, hint: string) {
    super(`${problem}. ${hint}`);
    this.name = 'BigQueryProblem';
    this.problem = problem;
    this.hint = hint;
  }
}
