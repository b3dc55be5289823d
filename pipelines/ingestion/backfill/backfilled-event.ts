import type { Delivery } from '@aorta/connectors';

/** The user of a backfill, with the ids that the envelope of an event contains. */
export interface BackfilledUser {
  readonly userId: string;
  readonly teamId: string | null;
  readonly clientUserId: string | null;
}

/** An event that a backfill creates from a response of the service. It has the same shape as an event from the service. */
export interface BackfilledEvent {
  /**
   * If the service also sends such data in events, the type ends with `.backfilled`. It has the same route as the service's
   * own types, which end with `.created` or `.updated`. For all other data, the type begins with `service.`.
   */
  readonly eventType: string;
  /** Unique among the user's events of this type. Data that is fetched again has the same id. */
  readonly deliveryId: string;
  readonly data: unknown;
}

export interface BackfillReceipt {
  readonly source: string;
  readonly partition: string;
  readonly offset: number;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
}

/** Builds the delivery of a backfilled event. Numbers that a double cannot represent are kept as the service wrote them. */
export function deliveryOf(
  event: BackfilledEvent,
  { userId, teamId, clientUserId }: BackfilledUser,
  receipt: BackfillReceipt,
): Delivery {
  const { eventType, deliveryId, data } = event;
  // As in the `service.` events of the polling jobs, so that a row does not depend on which of the two fetched it.
  const isNamed = !eventType.startsWith('service.');
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
        client_user_id: isNamed ? clientUserId : null,
        data,
      }),
    ),
    inline: false,
  };
}
