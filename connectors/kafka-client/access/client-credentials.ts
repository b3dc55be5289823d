import { z } from 'zod';
import type { TokenSource } from '../client.ts';
import { KafkaError } from '../errors.ts';
import { lasting, type Token } from './tokens.ts';

export interface ClientCredentials {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
  readonly audience?: string | undefined;
}

const ANSWER_MS = 10_000;
/** Assumed lifetime of a token, in seconds, if the response has no `expires_in`, which is optional in RFC 6749. */
const UNSAID_S = 300;

const answerShape = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().optional() });
/** An error response (RFC 6749, section 5.2). Its other members are ignored, because they may quote the request. */
const refusalShape = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) });

/** Returns a source of tokens that uses the OAuth 2.0 client credentials grant (RFC 6749, section 4.4). */
export function clientCredentials(credentials: ClientCredentials): TokenSource {
  return lasting(() => ask(credentials));
}

async function ask({ url, clientId, clientSecret, scope, audience }: ClientCredentials): Promise<Token> {
  const { host } = new URL(url);
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) body.set('scope', scope);
  if (audience !== undefined) body.set('audience', audience);
  const authorization = `Basic ${Buffer.from(`${form(clientId)}:${form(clientSecret)}`).toString('base64')}`;
  const asked = Date.now();
  let answer: Response;
  let content: unknown;
  try {
    const headers = { authorization, accept: 'application/json' };
    // Do not follow redirects, because they could send the secret to a different host.
    answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
    content = await answer.json().catch(() => undefined);
  } catch (error) {
    throw new KafkaError('AORTA-KAFKA-TOKEN-FAILED', { host, reason: reasonOf(error) });
  }
  if (answer.status >= 500 || answer.status === 429)
    throw new KafkaError('AORTA-KAFKA-TOKEN-FAILED', { host, reason: `status ${answer.status}` });
  if (!answer.ok) {
    const said = refusalShape.safeParse(content);
    const reason = said.success ? `${answer.status}, ${said.data.error}` : String(answer.status);
    throw new KafkaError('AORTA-KAFKA-TOKEN-REFUSED', { host, reason });
  }
  const token = answerShape.safeParse(content);
  if (!token.success) throw new KafkaError('AORTA-KAFKA-TOKEN-REFUSED', { host, reason: 'its answer contains no token' });
  return { value: token.data.access_token, until: asked + (token.data.expires_in ?? UNSAID_S) * 1000 };
}

/** Form-encodes the client id or secret for the Authorization header, as required by RFC 6749, section 2.3.1. */
function form(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** Returns the code or the name of the error, but not its message, which may quote the request. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : name === 'TimeoutError' ? `no answer in ${ANSWER_MS / 1000} s` : name;
}
