/** Why a local server cannot be had on this machine: what happened, and what to do. */
export class ServerProblem extends Error {
  readonly problem: string;
  readonly hint: string;

  constructor(problem: string, hint: string) {
    super(`${problem}. ${hint}`);
    this.name = 'ServerProblem';
    this.problem = problem;
    this.hint = hint;
  }
}

/** Somebody else has a port that the server was to have. */
export class PortTaken extends ServerProblem {
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use`, 'Give another one.');
    this.port = port;
  }
}
