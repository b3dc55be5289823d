import { Webhook } from 'standardwebhooks';
import type { NoticesSettings } from './options.ts';

/** The receiver has so long for an answer. */
const DEADLINE_MS = 10_000;

/** What became of a notice: accepted by a status of 2xx, else what was wrong. Neither names an address. */
export type Posted =
  | { readonly accepted: true; readonly status: number }
  | { readonly accepted: false; readonly status: number | undefined; readonly problem: string };

/**
 * Posts a notice, signed by Standard Webhooks where there is a secret. A notice that is repeated has the same `id`, by which
 * its receiver knows it again. Never rejects.
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

/** The system's code of a failed connection; messages of libraries may quote the address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? `no connection: ${cause.code}` : 'no connection, or a redirection';
}
