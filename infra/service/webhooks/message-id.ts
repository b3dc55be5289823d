import { createHash } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 27;
/** KSUIDs count seconds from here. */
const EPOCH_S = 1_400_000_000;

/**
 * Returns a message id as Svix makes it: `msg_` and a KSUID, which carries the time of creation in seconds. `createdAt` is in
 * milliseconds since 1970. The same time and name give the same id.
 */
export function messageId(createdAt: number, name: string): string {
  return `msg_${ksuid(createdAt, name)}`;
}

/** Returns the id of an attempt, in the same form. */
export function attemptId(attemptedAt: number, name: string): string {
  return `atmpt_${ksuid(attemptedAt, name)}`;
}

function ksuid(createdAt: number, name: string): string {
  const seconds = Math.max(0, Math.floor(createdAt / 1000) - EPOCH_S);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32);
  let value = (BigInt(seconds) << 128n) | BigInt(`0x${hash}`);
  let digits = '';
  for (let digit = 0; digit < LENGTH; digit += 1) {
    digits = DIGITS[Number(value % 62n)]! + digits;
    value /= 62n;
  }
  return digits;
}
