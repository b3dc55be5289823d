import { ServerProblem } from '@aorta/machine';

/** Returns an error about a broker that does not start or that refuses a request. The default hint points to Kafka's own message. */
export const brokerProblem = (
  problem: string,
  hint = 'Fix the cause that Kafka reports, if any, and start again.',
): ServerProblem => new ServerProblem(problem, hint);
