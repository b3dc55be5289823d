import { Webhook } from 'standardwebhooks';
import type { Send } from './delivery.ts';

/** An endpoint must answer within this time. */
const ANSWER_MS = 15_000;

/**
 * Sends an attempt over HTTP, signed as Svix does. Its timestamp is real, whatever the virtual time is, because endpoints
 * refuse timestamps that differ much from their own clock.
 */
export const sendOverHttp: Send = async ({ url, headers }, { id, body, keys }) => {
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
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0;
  }
};
