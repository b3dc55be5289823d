import { STATUS_CODES } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../api/authentication.ts';
import { closedBetaAnswer } from '../api/errors.ts';
import { type SentAnswer, sentAnswer } from '../api/operation.ts';
import type { Clock } from '../time/clock.ts';
import type { OperationEffect } from './fault-rule.ts';
import type { FaultRules, RequestFacts } from './fault-rules.ts';

interface Parts {
  readonly faults: FaultRules;
  readonly authentication: Authentication;
  readonly clock: Clock;
}

/** Waits for some milliseconds. Rejects if the signal aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

type Effect<Kind extends OperationEffect['kind']> = Extract<OperationEffect, { kind: Kind }>;

/** Returns the answer of an effect that has one. `now` is virtual, in milliseconds since 1970. */
function scriptedAnswer(effect: Effect<'status' | 'answer'>, now: number): SentAnswer {
  const { status, body = { detail: STATUS_CODES[status] ?? 'Unknown' }, content_type } = effect;
  const plain = sentAnswer(status, body, content_type);
  if (effect.kind === 'answer' || effect.retry_after === undefined) return plain;
  const { seconds, form } = effect.retry_after;
  // The clock of the service decides, as for the `Date` header. Dates have no fractions of a second.
  const value = form === 'seconds' ? String(seconds) : new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
  return { ...plain, headers: { ...plain.headers, 'retry-after': value } };
}

/** Members of answers that hold the cursor of the next page. */
const cursorMembers = ['next_cursor', 'next'] as const;
/** Query parameters that hold a cursor. */
const cursorParameters = ['next_cursor', 'cursor'] as const;
const LOOP = 'loop-';

/** Returns an answer whose cursors lead to the page that the query asked for. Answers without a cursor stay as they are. */
function looped(answer: string, query: Readonly<Record<string, unknown>>): string {
  const body: unknown = JSON.parse(answer);
  if (typeof body !== 'object' || body === null) return answer;
  const given = cursorParameters.map((name) => query[name]).find((value) => typeof value === 'string') ?? '';
  const cursor = `${LOOP}${Buffer.from(given as string).toString('base64url')}`;
  const members = cursorMembers.filter((name) => name in body);
  return JSON.stringify({ ...body, ...Object.fromEntries(members.map((name) => [name, cursor])) });
}

/** Replaces a cursor of {@link looped} in a query by the cursor that led to that page. */
function unlooped(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: Record<string, unknown> = { ...query };
  for (const name of cursorParameters) {
    const value = plain[name];
    if (typeof value !== 'string' || !value.startsWith(LOOP)) continue;
    const cursor = Buffer.from(value.slice(LOOP.length), 'base64url').toString();
    if (cursor === '') delete plain[name];
    else plain[name] = cursor;
  }
  return plain;
}

/** Lets fault rules act on the requests and answers of a server. `wait` carries out their delays. */
export function actOnRequests(
  app: FastifyInstance,
  { faults, authentication, clock }: Parts,
  wait: Wait = (ms, signal) => sleep(ms, undefined, { signal }),
): void {
  /** Effects on answers, until the answers exist. */
  const later = new WeakMap<FastifyRequest, OperationEffect>();

  app.addHook('onRequest', async (request, reply) => {
    request.query = unlooped(request.query as Record<string, unknown>);
    const rule = faults.forRequest(factsOf(request, authentication));
    if (rule?.delay_ms !== undefined && !(await untilClosed(request, (signal) => wait(rule.delay_ms!, signal))))
      return reply.hijack();
    const effect = rule?.effect;
    if (effect === undefined) return undefined;
    switch (effect.kind) {
      case 'hang':
        return reply.hijack();
      case 'reset':
        if (effect.after_bytes === undefined) {
          request.raw.socket.resetAndDestroy();
          return reply.hijack();
        }
        later.set(request, effect);
        return undefined;
      case 'loop':
        later.set(request, effect);
        return undefined;
      case 'answer':
        break;
    }
    const sender = authentication.senderOf(request);
    if ('refused' in sender) return reply.code(401).send(sender.refused);
    const { status, headers, body } =
      effect.kind === 'closed_beta' ? closedBetaAnswer(authentication.dateOf(sender)) : scriptedAnswer(effect, clock.now());
    return reply.code(status).headers(headers).send(body);
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const effect = later.get(request);
    if (typeof payload !== 'string') return payload;
    if (effect?.kind === 'loop') return reply.statusCode === 200 ? looped(payload, request.query as object as never) : payload;
    if (effect?.kind === 'reset') return await cut(reply, payload, effect.after_bytes!);
    return payload;
  });
}

function factsOf(request: FastifyRequest, authentication: Authentication): RequestFacts {
  return {
    operation: request.routeOptions.config.operation,
    method: request.method,
    path: request.url.split('?')[0]!,
    query: request.query as Record<string, unknown>,
    team: () => authentication.teamOf(request)?.team_id,
  };
}

/** Waits, unless the connection ends before. Returns whether the connection still exists. */
async function untilClosed(request: FastifyRequest, wait: (closed: AbortSignal) => Promise<void>): Promise<boolean> {
  const ended = new AbortController();
  const abort = () => ended.abort();
  request.raw.socket.once('close', abort);
  try {
    await wait(ended.signal);
    return true;
  } catch {
    return false;
  } finally {
    request.raw.socket.off('close', abort);
  }
}

/** Sends the head of an answer and a part of its body, and then breaks the connection. Never resolves. */
function cut(reply: FastifyReply, payload: string, afterBytes: number): Promise<never> {
  const bytes = Buffer.from(payload);
  const { raw } = reply;
  const { socket } = raw;
  raw.writeHead(reply.statusCode, { ...(reply.getHeaders() as Record<string, string>), 'content-length': bytes.length });
  raw.flushHeaders();
  if (afterBytes > 0) raw.write(bytes.subarray(0, afterBytes));
  // Written after all that comes before it, so the other side has the whole part.
  socket?.write('', () => socket.resetAndDestroy());
  return new Promise(() => {});
}
