import { STATUS_CODES } from 'node:http';
import type { OperationEffect } from './fault-rule.ts';

interface ScriptedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Effect<Kind extends OperationEffect['kind']> = Extract<OperationEffect, { kind: Kind }>;

/** Since then, the service tells of closed betas in JSON. */
const CLOSED_BETA_JSON_SINCE = Date.UTC(2025, 10, 1);
const CLOSED_BETA = 'This endpoint is in closed beta, and your team is not enabled for it';

/** Returns the answer of an effect that has one. `now` is virtual, in milliseconds since 1970. */
export function scriptedAnswer(effect: Effect<'status' | 'answer' | 'closed_beta'>, now: number): ScriptedAnswer {
  if (effect.kind === 'closed_beta')
    return answer(403, now < CLOSED_BETA_JSON_SINCE ? CLOSED_BETA : { detail: CLOSED_BETA }, undefined);
  const { status, body = { detail: STATUS_CODES[status] ?? 'Unknown' }, content_type } = effect;
  const plain = answer(status, body, content_type);
  if (effect.kind === 'answer' || effect.retry_after === undefined) return plain;
  const { seconds, form } = effect.retry_after;
  // The clock of the service decides, as for the `Date` header. Dates have no fractions of a second.
  const value = form === 'seconds' ? String(seconds) : new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
  return { ...plain, headers: { ...plain.headers, 'retry-after': value } };
}

function answer(status: number, body: string | object, contentType: string | undefined): ScriptedAnswer {
  return typeof body === 'string'
    ? { status, headers: { 'content-type': contentType ?? 'text/plain; charset=utf-8' }, body }
    : { status, headers: { 'content-type': contentType ?? 'application/json; charset=utf-8' }, body: JSON.stringify(body) };
}
