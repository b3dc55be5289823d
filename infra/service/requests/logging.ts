import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Authentication, keyHeaderOf } from '../api/authentication.ts';
import type { Clock } from '../time/clock.ts';
import type { RequestLog } from './request-log.ts';

interface Parts {
  readonly requests: RequestLog;
  readonly authentication: Authentication;
  readonly clock: Clock;
}

/** Adds every request to the log, before fault rules act on it. */
export function logRequests(app: FastifyInstance, { requests, authentication, clock }: Parts): void {
  const answered = new WeakMap<FastifyRequest, (status: number) => void>();
  app.addHook('onRequest', async (request) => {
    const logged = {
      ...{ at: clock.now(), method: request.method, target: request.url },
      team_id: authentication.teamOf(request)?.team_id ?? null,
      key_header: keyHeaderOf(request) ?? null,
    };
    answered.set(request, requests.add(logged));
  });
  app.addHook('onSend', async (request, reply, payload) => {
    answered.get(request)?.(reply.statusCode);
    return payload;
  });
}
