import { ServerProblem } from '@aorta/machine';

/** Why there is no broker, or why it refuses. Where nothing is known that helps, Kafka's own words should. */
export const brokerProblem = (
  problem: string,
  hint = 'Start again; what Kafka itself said should tell what is wrong.',
): ServerProblem => new ServerProblem(problem, hint);
