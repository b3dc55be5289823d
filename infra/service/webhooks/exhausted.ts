import { instant } from '../api/times.ts';
import { ATTEMPT_EXHAUSTED, isOperational } from '../events/operational.ts';
import type { Outbox } from '../events/outbox.ts';
import type { Delivery, SentEvent } from './delivery.ts';
import { attemptId } from './message-id.ts';

/**
 * Tells a team's endpoints that a message failed in all attempts, with the members that Svix gives its operational events. A
 * message that tells this and fails itself is not told about.
 */
export function tellExhausted(outbox: Outbox, delivery: Delivery, event: SentEvent): void {
  if (isOperational(event.event_type)) return;
  const { message_id, endpoint_id, attempts, last_status, last_attempt_at } = delivery;
  const { client_user_id } = JSON.parse(event.body) as { client_user_id: string };
  const { team_id, user_id } = event;
  outbox.add({ team_id, user_id, client_user_id }, ATTEMPT_EXHAUSTED, {
    appId: team_id,
    endpointId: endpoint_id,
    msgId: message_id,
    lastAttempt: {
      id: attemptId(last_attempt_at!, `${message_id} ${endpoint_id} ${attempts}`),
      responseStatusCode: last_status,
      timestamp: instant(last_attempt_at!),
    },
  });
}

/** Returns the endpoint that an operational event is about; undefined for other events. */
export function failedEndpointOf({ event_type, body }: Pick<SentEvent, 'event_type' | 'body'>): string | undefined {
  return isOperational(event_type) ? (JSON.parse(body) as { data: { endpointId: string } }).data.endpointId : undefined;
}
