import type { Delivery } from '@aorta/connectors';

/** The user that a backfill is about, as the envelope of an event names it. */
export interface BackfilledUser {
  readonly userId: string;
  readonly teamId: string | null;
  readonly clientUserId: string | null;
}

/** What an answer of the service becomes: an event, as the service would send it. */
export interface BackfilledEvent {
  /** Ends with `.backfilled` where the service's own end with `.created` or `.updated`: it is routed like these, and told from them. What no event tells begins with `service.`. */
  readonly eventType: string;
  /** Names it among all of the user's events of its type; the same when it is asked for again. */
  readonly deliveryId: string;
  readonly data: unknown;
}

/** Where and when the answer counts as received. */
export interface BackfillReceipt {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
}

/** The delivery of such an event. Numbers that no double holds are written as the service spelled them. */
export function deliveryOf(
  event: BackfilledEvent,
  { userId, teamId, clientUserId }: BackfilledUser,
  receipt: BackfillReceipt,
): Delivery {
  const { eventType, deliveryId, data } = event;
  // What is not made like an event of the service names the customer's id of the user in a column of its own class.
  const asSent = !eventType.startsWith('service.');
  return {
    ...receipt,
    headers: new Map([
      ['event-type', eventType],
      ['user-id', userId],
      ['idempotency-key', deliveryId],
    ]),
    key: Buffer.from(userId),
    body: Buffer.from(
      JSON.stringify({
        event_type: eventType,
        team_id: teamId,
        user_id: userId,
        client_user_id: asSent ? clientUserId : null,
        data,
      }),
    ),
    inline: false,
  };
}
