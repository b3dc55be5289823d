import { z } from 'zod';
import { type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { oauthProviders } from '../connections/providers.ts';
import { success } from '../users/users.ts';
import type { HistoricalPulls } from './historical-pulls.ts';

/** How long a request waits for the pulls, in milliseconds of real time. */
const LONGEST_WAIT_MS = 20_000;

/** The operation that pulls the history of many users again. */
export function bulkOperations(pulls: HistoricalPulls, longestWait = LONGEST_WAIT_MS): Operation[] {
  return [
    operation({
      id: 'bulk_trigger_historical_pull',
      method: 'POST',
      path: '/v2/link/bulk_trigger_historical_pull',
      tag: 'link',
      summary: 'Pulls the history of users again. Users without a working connection to the provider are ignored.',
      body: z
        .object({
          user_ids: z.array(uuidSchema),
          provider: z.enum(oauthProviders),
          wait_for_completion: z.boolean().default(false),
        })
        .meta({ id: 'BulkTriggerHistoricalPull' }),
      answers: {
        200: { ...success, description: 'All pulls have ended. Only with `wait_for_completion`.' },
        202: { description: 'The pulls are planned.' },
      },
      handle: async ({ team, body: { user_ids, provider, wait_for_completion } }) => {
        const planned = pulls.trigger(team.team_id, user_ids, provider);
        if (!wait_for_completion || !(await pulls.whenEnded(planned, longestWait))) return { status: 202 };
        return { status: 200, body: { success: true } };
      },
    }),
  ];
}
