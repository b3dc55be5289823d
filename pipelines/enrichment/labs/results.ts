import { openAnnounced } from '../announced/announced.ts';
import type { OpenJob } from '../workers/job.ts';
import type { Surrounding } from '../workout-streams/workout-streams.ts';

/** Returns whether an order in this status has results. The results may be complete, corrected or partial. */
function hasResults(status: string | null): boolean {
  return status !== null && (/^completed(\.|$)/.test(status) || status.endsWith('.partial_results'));
}

/** Opens a job that fetches the results of an order when an event reports that some or all of them are available. */
export function openLabResults({ client, ...surrounding }: Surrounding): Promise<OpenJob> {
  return openAnnounced({
    ...surrounding,
    name: 'service-lab-results',
    file: 'lab-results.json',
    stream: 'lab_orders',
    announces: ({ event, id: key, last_event_status: last, status }) =>
      hasResults(last ?? status) ? { key, userId: event.user_id } : undefined,
    fetch: (orderId, signal) => client.orderResult(orderId, signal),
    event: 'service.lab_result',
    data: (order_id, result) => ({ ...(result as object | undefined), order_id }),
  });
}
