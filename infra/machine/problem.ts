/** Thrown if a local server cannot run on this machine. `problem` is the reason, and `hint` says what the user can do. */
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

export class PortTaken extends ServerProblem {
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use`, 'Choose a different port.');
    this.port = port;
  }
}
