/** Why there is no broker, as a sentence with what to do. */
export class BrokerProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokerProblem';
  }
}
