import { Webhook } from 'standardwebhooks';
import type { NoticesSettings } from './options.ts';

/** Timeout of a post, in milliseconds. */
const DEADLINE_MS = 10_000;

/** Outcome of posting a notice, which is accepted if the status is 2xx. `problem` does not contain the receiver's address. */
export type Posted =
  | { readonly accepted: true; readonly status: number }
  | { readonly accepted: false; readonly status: number | undefined; readonly problem: string };

/**
 * Posts a notice. If a secret is set, the notice is signed according to the Standard Webhooks specification. A repeated
 * notice has the same `id`. Never rejects.
 */
export async function postNotice(settings: NoticesSettings, id: string, notice: object, signal: AbortSignal): Promise<Posted> {
  const body = JSON.stringify(notice);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(settings.webhook, {
      method: 'POST',
      headers: headersOf(settings, `msg_${id}`, body),
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, deadline]),
    });
    await response.body?.cancel();
    const { ok, status } = response;
    return ok ? { accepted: true, status } : { accepted: false, status, problem: `status ${status}` };
  } catch (error) {
    const problem = deadline.aborted ? `no answer within ${DEADLINE_MS / 1000} s` : reasonOf(error);
    return { accepted: false, status: undefined, problem };
  }
}

function headersOf({ secret, authentication }: NoticesSettings, id: string, body: string): Record<string, string> {
  const now = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    ...(secret === undefined ? {} : { 'webhook-signature': new Webhook(secret).sign(id, now, body) }),
    ...(authentication === undefined ? {} : { [authentication.header]: authentication.value }),
  };
}

/** Returns only the system error code, because the library's message may contain the receiver's address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? `no connection: ${cause.code}` : 'no connection, or a redirection';
}
