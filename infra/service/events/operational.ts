/** A message failed at an endpoint in all attempts. */
export const ATTEMPT_EXHAUSTED = 'message.attempt.exhausted';

/** Returns whether an event type tells of the delivery itself, and not of a user's data. */
export function isOperational(eventType: string): boolean {
  return eventType === ATTEMPT_EXHAUSTED;
}
