/** Why there is no broker, as a sentence with what to do. */
export class BrokerProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokerProblem';
  }
}

/** Somebody else has a port that the broker was to have. */
export class PortTaken extends BrokerProblem {
  readonly port: number;

  constructor(port: number) {
    super(`Port ${port} is in use.`);
    this.port = port;
  }
}
