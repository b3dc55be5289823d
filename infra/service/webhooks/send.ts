import { Webhook } from 'standardwebhooks';
import type { Endpoint } from './endpoints.ts';

/**
 * Sends one attempt. Resolves with the HTTP status, or 0 if there was no answer in time. Never rejects. If the signal aborts,
 * the result is ignored.
 */
export type Send = (endpoint: Endpoint, message: Message, signal: AbortSignal) => Promise<number>;

interface Message {
  readonly id: string;
  readonly body: string;
  /** Keys that sign the attempt, the newest first. */
  readonly keys: readonly string[];
  /** Virtual time of the attempt, in milliseconds since 1970. */
  readonly at: number;
}

/** An endpoint must answer within this time. */
const ANSWER_MS = 15_000;

/**
 * Sends an attempt over HTTP, signed as Svix does. Its timestamp is real, whatever the virtual time is, because endpoints
 * refuse timestamps that differ much from their own clock.
 */
export const sendOverHttp: Send = async ({ url, headers }, { id, body, keys }, signal) => {
  const now = new Date();
  const signed = {
    ...headers,
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': String(Math.floor(now.getTime() / 1000)),
    'svix-signature': keys.map((key) => new Webhook(key).sign(id, now, body)).join(' '),
  };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: signed,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
};
