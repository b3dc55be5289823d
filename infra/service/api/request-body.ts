import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Validation } from './errors.ts';

/** The body of a request, or the reason why it cannot be read. */
export type Given = { readonly value: unknown } | { readonly refused: Validation };

/** Reads bodies as bytes, of whatever type they are. So an operation without input ignores them. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
}

const NOT_JSON: Validation = { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] };

/** Returns the value of a JSON body; undefined if there is no body. A body of another type stays a text. */
export function bodyOf({ body, headers }: FastifyRequest): Given {
  if (!Buffer.isBuffer(body) || body.length === 0) return { value: undefined };
  const text = body.toString();
  if (!/^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '')) return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { refused: NOT_JSON };
  }
}
