import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { uuidSchema } from '../api/uuid.ts';
import type { State } from '../state.ts';

/** A signed address is valid for 7 days. */
const VALID_MS = 7 * 86_400_000;
const PATH = '/requisition_forms';
/** The purpose of the signatures. */
const PURPOSE = 'requisition';

/** The addresses of requisition forms that need no key: whoever has one can read the form, until it expires. */
export class RequisitionUrls {
  readonly #state: State;
  /** Address of the API. It is unknown until the service is served. */
  base = 'http://127.0.0.1';

  constructor(state: State) {
    this.#state = state;
  }

  /** Returns an address that is valid from now on. */
  urlOf(order: string): string {
    const expires = Math.floor((this.#state.clock.now() + VALID_MS) / 1000);
    return `${this.base}${PATH}/${order}.pdf?expires=${expires}&signature=${this.#state.signatures.of(PURPOSE, signed(order, expires))}`;
  }

  /** Serves the forms. `read` returns the form of an order; undefined if there is no such order any more. */
  serve(app: FastifyInstance, read: (order: string) => Promise<Buffer | undefined>): void {
    app.get(`${PATH}/:file`, async (request, reply) => {
      const asked = addressSchema.safeParse({ ...(request.params as object), ...(request.query as object) });
      if (!asked.success || !this.#isSigned(asked.data))
        return reply.code(403).send({ detail: 'The signature of this address is not valid' });
      if (asked.data.expires * 1000 <= this.#state.clock.now())
        return reply.code(403).send({ detail: 'This address expired after 7 days. Download the form by the API.' });
      const form = await read(asked.data.file);
      return form === undefined ? reply.code(404).send({ detail: 'Order not found' }) : reply.type('application/pdf').send(form);
    });
  }

  #isSigned({ file, expires, signature }: z.output<typeof addressSchema>): boolean {
    return this.#state.signatures.isRight(PURPOSE, signed(file, expires), signature);
  }
}

const signed = (order: string, expires: number): string => `${order} ${expires}`;

const addressSchema = z.object({
  file: z
    .string()
    .regex(/\.pdf$/)
    .transform((file) => file.slice(0, -'.pdf'.length))
    .pipe(uuidSchema),
  expires: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  signature: z.string(),
});
