import type { Delivery } from '@aorta/connectors';

/** The user of a backfill, as the envelope of an event names it. */
export interface BackfilledUser {
  readonly userId: string;
  readonly teamId: string | null;
  readonly clientUserId: string | null;
}

/** An event that a backfill makes from an answer of the service. It has the shape of an event that the service sends. */
export interface BackfilledEvent {
  /**
   * Ends with `.backfilled`, while the service's own types end with `.created` or `.updated`. Its route is the same. Data that
   * no event of the service carries has a type with the prefix `service.`.
   */
  readonly eventType: string;
  /** Unique among the user's events of this type. The same data gets the same id again. */
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

/** Builds the delivery of such an event. Numbers that no double holds keep the service's spelling. */
export function deliveryOf(
  event: BackfilledEvent,
  { userId, teamId, clientUserId }: BackfilledUser,
  receipt: BackfillReceipt,
): Delivery {
  const { eventType, deliveryId, data } = event;
  // A `service.` event has the customer's id of the user in `data` only: the column `customer_user_id` has a class of its own.
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
