import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../api/authentication.ts';
import { closedBetaAnswer } from '../api/closed-beta.ts';
import type { Clock } from '../time/clock.ts';
import { looped, unlooped } from './cursor-loop.ts';
import type { OperationEffect } from './fault-rule.ts';
import type { FaultRules } from './fault-rules.ts';
import { scriptedAnswer } from './scripted-answer.ts';
import type { RequestFacts } from './selection.ts';

interface Parts {
  readonly faults: FaultRules;
  readonly authentication: Authentication;
  readonly clock: Clock;
}

/** Waits for some milliseconds. Rejects if the signal aborts. */
type Wait = (ms: number, signal: AbortSignal) => Promise<void>;

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
