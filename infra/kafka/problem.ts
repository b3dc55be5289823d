/** Why there is no broker: what happened, and what to do. */
export class BrokerProblem extends Error {
  readonly problem: string;
  readonly hint: string;

  constructor(problem: string, hint = 'Start again; what Kafka itself said should tell what is wrong.') {
    super(`${problem}. ${hint}`);
    this.name = 'BrokerProblem';
    this.problem = problem;
    this.hint = hint;
  }
}

/** Somebody else has a port that the broker was to have. */
export class PortTaken extends BrokerProblem {
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use`, 'Give another one.');
    this.port = port;
  }
}
