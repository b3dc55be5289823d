import { createHash } from 'node:crypto';
import type { Pull } from './pull.ts';

/** After this number of retries, a pull gives up. */
export const RETRY_QUOTA = 8;

const FIRST_RETRY_MS = 60_000;

type Identity = Pick<Pull, 'user_id' | 'provider' | 'resource' | 'scheduled_at'>;

/** Returns a text of hexadecimal digits. The same pull and purpose always have the same one, so a crash changes no time. */
function hashOf({ user_id, provider, resource, scheduled_at }: Identity, purpose: string): string {
  return createHash('sha256').update(`${user_id} ${provider} ${resource} ${scheduled_at} ${purpose}`).digest('hex');
}

function between(low: number, high: number, hash: string): number {
  return Math.floor(low + (high - low) * (Number.parseInt(hash.slice(0, 8), 16) / 0x1_0000_0000));
}

export function traceOf(pull: Identity): string {
  return hashOf(pull, 'trace').slice(0, 32);
}

/** Returns how long a planned pull waits for its first attempt, in milliseconds: 1 to 10 s. */
export function startPause(pull: Identity): number {
  return between(1_000, 10_000, hashOf(pull, 'start'));
}

/** Returns how long a chunk takes, in milliseconds: 2 to 8 s. */
export function chunkPause(pull: Identity, chunk: number): number {
  return between(2_000, 8_000, hashOf(pull, `chunk ${chunk}`));
}

/** Returns the pause before a retry, in milliseconds: 1 to 1.5 minutes before retry 1, and twice as long before each further one. */
export function retryPause(pull: Identity, retry: number): number {
  const shortest = FIRST_RETRY_MS * 2 ** (retry - 1);
  return between(shortest, shortest * 1.5, hashOf(pull, `retry ${retry}`));
}
