import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Validation } from './errors.ts';
import { malformedIn } from './malformed.ts';

/** Most bytes of a multipart body. */
export const MULTIPART_BYTES = 10 * 2 ** 20;

/** A file of a multipart body. */
interface UploadedFile {
  readonly name: string;
  /** Media type. A file without a declared type has `text/plain` (RFC 7578, section 4.4). */
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** A file of a form. The OpenAPI document describes it as binary. */
export const fileSchema = z
  .custom<UploadedFile>((value) => typeof value === 'object' && value !== null && 'bytes' in value, 'not a file')
  .meta({ type: 'string', format: 'binary' });

type Field = string | UploadedFile;
type Form = { readonly value: Readonly<Record<string, Field | readonly Field[]>> } | { readonly refused: Validation };

const refused = (msg: string): Form => ({ refused: { detail: [{ loc: ['body'], msg, type: 'multipart_invalid' }] } });
const NOT_MULTIPART = refused('the body must be multipart/form-data');
const NOT_UTF8 = refused('a text is not UTF-8');
const MALFORMED = refused('the parts cannot be read: the boundary is missing, or a part is malformed or not complete');

/** Returns the fields of a multipart body by name: texts, files, and lists of both for names that occur several times. */
export async function formOf({ body, headers }: FastifyRequest): Promise<Form> {
  const type = headers['content-type'] ?? '';
  // Without this check, a body of type application/x-www-form-urlencoded would also be read.
  if (!/^multipart\/form-data\b/i.test(type)) return NOT_MULTIPART;
  let form: FormData;
  try {
    form = await new Response(body as Uint8Array<ArrayBuffer>, { headers: { 'content-type': type } }).formData();
  } catch {
    return MALFORMED;
  }
  const fields: [name: string, value: Field][] = [];
  for (const [name, value] of form) {
    if (![name, typeof value === 'string' ? value : value.name].every((text) => isFrom(body as Buffer, text))) return NOT_UTF8;
    fields.push([name, typeof value === 'string' ? value : { name: value.name, type: value.type, bytes: await value.bytes() }]);
  }
  const byName = [...Map.groupBy(fields, ([name]) => name)];
  return checked(
    Object.fromEntries(byName.map(([name, some]) => [name, some.length === 1 ? some[0]![1] : some.map(([, value]) => value)])),
  );
}

/** Returns whether a body contains a text that was parsed from it. The parser replaces bytes that are not UTF-8 with U+FFFD. */
const isFrom = (body: Buffer, text: string): boolean => !text.includes('\uFFFD') || body.includes(text);

/** Returns the value of a body, or the refusal if every operation refuses such a value. */
function checked<Value>(value: Value): { readonly value: Value } | { readonly refused: Validation } {
  const refused = malformedIn('body', value);
  return refused === undefined ? { value } : { refused };
}

/** The body of a request, or the reason why it cannot be read. */
export type Given = { readonly value: unknown } | { readonly refused: Validation };

/** Reads bodies as bytes, of whatever type they are. So an operation without input ignores them. */
export function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
}

const NOT_JSON: Validation = { detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] };

/** Returns the value of a JSON body in UTF-8; undefined if there is no body. A body of another type stays a text. */
export function bodyOf({ body, headers }: FastifyRequest): Given {
  if (!Buffer.isBuffer(body) || body.length === 0) return { value: undefined };
  if (!isUtf8(body)) return { refused: NOT_JSON };
  const text = body.toString();
  if (!/^application\/(.+\+)?json\b/i.test(headers['content-type'] ?? '')) return { value: text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { refused: NOT_JSON };
  }
  return checked(value);
}
