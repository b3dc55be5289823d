import { ServerProblem } from '@aorta/machine';

/**
 * Creates the error for a broker that does not start or that rejects a request. The default hint refers to Kafka's own
 * message.
 */
export const brokerProblem = (
  problem: string,
  hint = 'Fix the cause that Kafka reports, if any, and start again.',
): ServerProblem => new ServerProblem(problem, hint);
