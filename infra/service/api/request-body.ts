import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Validation } from './errors.ts';

/** Reads bodies as text, of whatever type they are. So an operation without input ignores them. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, text, done) => done(null, text));
}

const NOT_JSON: Validation = { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] };

/** Returns the value of a JSON body; undefined if there is no body. A body of another type stays a text. */
export function bodyOf({ body, headers }: FastifyRequest): { readonly value: unknown } | { readonly refused: Validation } {
  if (typeof body !== 'string' || body === '') return { value: undefined };
  if (!/^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '')) return { value: body };
  try {
    return { value: JSON.parse(body) };
  } catch {
    return { refused: NOT_JSON };
  }
}
