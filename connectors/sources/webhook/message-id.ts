/** Digits of base62 as KSUIDs use them. */
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const MESSAGE_ID = /^msg_([0-9A-Za-z]{27})$/;
/** Bits of a KSUID after its timestamp. */
const RANDOM_BITS = 128n;
/** A KSUID counts its seconds from this time, in seconds since 1970. */
const KSUID_EPOCH = 1_400_000_000;
const MOST_SECONDS = 2n ** 32n;

/**
 * Returns the creation time of a message, in microseconds since 1970 with a resolution of one second. The id of a message is
 * `msg_` and a KSUID, which begins with that time. Returns undefined for any other id.
 *
 * Source: segmentio/ksuid: 20 bytes as 27 digits of base62, the first four bytes are the seconds since 2014-05-13.
 */
export function createdAt(id: string): number | undefined {
  const ksuid = MESSAGE_ID.exec(id)?.[1];
  if (ksuid === undefined) return undefined;
  let value = 0n;
  for (const digit of ksuid) value = value * 62n + BigInt(DIGITS.indexOf(digit));
  const seconds = value >> RANDOM_BITS;
  if (seconds >= MOST_SECONDS) return undefined;
  return (KSUID_EPOCH + Number(seconds)) * 1_000_000;
}

/** The service retries a message for about 27.5 hours; an operator may resend it for some days. */
const OLDEST_US = 7 * 24 * 3600 * 1_000_000;

/**
 * Returns the receipt time of a message, in microseconds. It is the creation time in the id if this lies within the seven days
 * before the arrival. A retry hours later then does not count as newer than events that were created after it.
 */
export function receiptTime(id: string, arrivedAt: number): number {
  const created = createdAt(id);
  return created !== undefined && created <= arrivedAt && created >= arrivedAt - OLDEST_US ? created : arrivedAt;
}
