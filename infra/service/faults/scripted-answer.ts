import { STATUS_CODES } from 'node:http';
import { type SentAnswer, sentAnswer } from '../api/sent-answer.ts';
import type { OperationEffect } from './fault-rule.ts';

type Effect<Kind extends OperationEffect['kind']> = Extract<OperationEffect, { kind: Kind }>;

/** Returns the answer of an effect that has one. `now` is virtual, in milliseconds since 1970. */
export function scriptedAnswer(effect: Effect<'status' | 'answer'>, now: number): SentAnswer {
  const { status, body = { detail: STATUS_CODES[status] ?? 'Unknown' }, content_type } = effect;
  const plain = sentAnswer(status, body, content_type);
  if (effect.kind === 'answer' || effect.retry_after === undefined) return plain;
  const { seconds, form } = effect.retry_after;
  // The clock of the service decides, as for the `Date` header. Dates have no fractions of a second.
  const value = form === 'seconds' ? String(seconds) : new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
  return { ...plain, headers: { ...plain.headers, 'retry-after': value } };
}
