import type { FastifyInstance } from 'fastify';
import type { Clock } from '../time/clock.ts';

/** Sets the `Date` header of every answer to the virtual time, because clients read the service's clock from it. */
export function dateAnswers(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('date', new Date(clock.now()).toUTCString());
  });
}
