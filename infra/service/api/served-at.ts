import type { FastifyInstance } from 'fastify';
import type { Clock } from '../time/clock.ts';

/** Gives every answer the virtual time in its `Date` header. Clients take this header for the clock of the service. */
export function dateAnswers(app: FastifyInstance, clock: Clock): void {
  app.addHook('onRequest', async (_, reply) => {
    reply.header('date', new Date(clock.now()).toUTCString());
  });
}
