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

/** Somebody else has the port that the server was to have. */
export class PortTaken extends BigQueryProblem {
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use`, 'Give another one.');
    this.port = port;
  }
}
