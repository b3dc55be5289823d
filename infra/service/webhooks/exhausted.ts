import { instant } from '../api/times.ts';
import { ATTEMPT_EXHAUSTED, isOperational } from '../events/operational.ts';
import type { Outbox, Subject } from '../events/outbox.ts';
import type { Exhausted } from './attempts.ts';
import { attemptId } from './message-id.ts';

/**
 * Tells a team's endpoints that a message failed in all attempts, with the members that Svix gives its operational events. A
 * message that tells this and fails itself is not told about.
 */
export function tellExhausted(outbox: Outbox, delivery: Exhausted): void {
  if (isOperational(delivery.event_type)) return;
  const { message_id, endpoint_id, attempts, last_status, last_attempt_at, team_id, user_id } = delivery;
  const subject: Subject =
    user_id === null
      ? { team_id }
      : { team_id, user_id, client_user_id: (JSON.parse(delivery.body) as { client_user_id: string }).client_user_id };
  const data = {
    appId: team_id,
    endpointId: endpoint_id,
    msgId: message_id,
    lastAttempt: {
      id: attemptId(last_attempt_at, `${message_id} ${endpoint_id} ${attempts}`),
      responseStatusCode: last_status,
      timestamp: instant(last_attempt_at),
    },
  };
  outbox.tell(subject, ATTEMPT_EXHAUSTED, {
    ...{ data, at: last_attempt_at },
    name: `${message_id} ${endpoint_id}`,
  });
}
