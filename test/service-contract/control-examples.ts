import { startService } from '@aorta/service';
import { type ControlExample, recorder } from './control-recorder.ts';
import { deliveryExamples } from './delivery-control-examples.ts';
import { errorExamples } from './error-control-examples.ts';
import { faultExamples } from './fault-control-examples.ts';
import { labExamples } from './lab-control-examples.ts';
import { peopleExamples } from './people-control-examples.ts';
import { stateExamples } from './state-control-examples.ts';
import { teamExamples } from './team-control-examples.ts';

/** Virtual time at which the service of the examples starts. Its clock is stopped. */
export const START = '2026-01-31';

/** Largest body that a hub of the examples accepts, in bytes. */
export const LARGEST = 200;

/**
 * Sends an example of each request of the control port to a new service, in an order that a reader can follow. The same requests
 * always have the same answers. The files that it calls have the examples, one file for some sections of the page.
 */
export async function controlExamples(): Promise<readonly ControlExample[]> {
  await using served = await startService({
    seed: 1,
    start: Date.parse(START),
    runs: false,
    sendToHub: async ({ events }) => events.filter(({ body }) => body.length > LARGEST),
  });
  const recorded = recorder(served);
  const team = await teamExamples(recorded);
  const user_id = await peopleExamples(recorded, team);
  await labExamples(recorded, { ...team, user_id });
  const { endpoint_id } = await deliveryExamples(recorded, { ...team, user_id });
  await faultExamples(recorded, { ...team, user_id, endpoint_id });
  await stateExamples(recorded);
  await errorExamples(recorded);
  return recorded.examples;
}
