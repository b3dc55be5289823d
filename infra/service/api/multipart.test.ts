import { connect } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { Service } from '../service.ts';
import { operation } from './operation.ts';
import { fileSchema } from './request-body.ts';
import { createApi, serveApi } from './server.ts';

const START = Date.UTC(2026, 0, 1);
const BOUNDARY = 'a-boundary';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const MIB = 2 ** 20;

let got: unknown;
/** Takes a list of files, a single file, and texts. */
const upload = operation({
  id: 'upload',
  method: 'POST',
  path: '/upload',
  tag: 'test',
  summary: 'Takes a form.',
  multipart: true,
  body: z.object({
    files: z.array(fileSchema).optional(),
    file: fileSchema.optional(),
    text: z.string().optional(),
    texts: z.array(z.string()).default([]),
  }),
  answers: { 204: { description: 'Taken.' } },
  handle: ({ body }) => {
    got = body;
    return { status: 204 };
  },
});

const service = new Service({ start: START, runs: false });
const app = createApi([...service.operations, upload], service.authentication);
const headers = { 'x-service-api-key': service.teams.create('first').api_key };
afterAll(async () => {
  await app.close();
  await service.close();
});
beforeEach(() => {
  got = undefined;
});

async function send(payload: string | Buffer, type: string | undefined = TYPE) {
  const sent = { ...headers, ...(type === '' ? {} : { 'content-type': type }) };
  const answer = await app.inject({ method: 'POST', url: '/upload', headers: sent, payload });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

async function sendForm(form: FormData) {
  const encoded = new Response(form);
  return send(Buffer.from(await encoded.arrayBuffer()), encoded.headers.get('content-type')!);
}

/** Writes one part with lines of its own. */
const part = (...lines: readonly string[]): string => `--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

test('a form has texts, files with their bytes, and lists of what occurs several times', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const form = new FormData();
  form.append('files', new File([bytes], 'ä "1".png', { type: 'image/png' }));
  form.append('text', 'ü\r\n--');
  form.append('files', new File([], '2.pdf'));
  form.append('texts', 'one');
  form.append('texts', 'two');
  form.append('file', new File(['x'], 'x'));
  form.append('unknown', 'dropped');
  expect((await sendForm(form)).status).toBe(204);
  expect(got).toEqual({
    files: [
      { name: 'ä "1".png', type: 'image/png', bytes },
      { name: '2.pdf', type: 'application/octet-stream', bytes: new Uint8Array() },
    ],
    file: { name: 'x', type: 'application/octet-stream', bytes: Uint8Array.of(120) },
    text: 'ü\r\n--',
    texts: ['one', 'two'],
  });
});

test('a field of a list that occurs once is a list of one', async () => {
  const form = new FormData();
  form.append('files', new File(['x'], '1.txt', { type: 'text/plain' }));
  form.append('texts', 'one');
  expect((await sendForm(form)).status).toBe(204);
  expect(got).toMatchObject({ files: [{ name: '1.txt', type: 'text/plain' }], texts: ['one'] });
});

test.each([
  ['a short boundary', part('Content-Disposition: form-data; name="text"', '', 'a') + END, TYPE],
  [
    'a quoted boundary',
    part('Content-Disposition: form-data; name="text"', '', 'a') + END,
    TYPE.replace(BOUNDARY, `"${BOUNDARY}"`),
  ],
  [
    'a type in upper case',
    part('Content-Disposition: form-data; name="text"', '', 'a') + END,
    TYPE.replace('multipart', 'MULTIPART'),
  ],
  ['further headers', part('X-Own: 1', 'content-disposition: form-data; name="text"', 'Content-Length: 1', '', 'a') + END, TYPE],
  ['text before and after', `before\r\n${part('Content-Disposition: form-data; name="text"', '', 'a')}${END}after`, TYPE],
])('a form with %s is read', async (_, body, type) => {
  expect(await send(body, type)).toEqual({ status: 204, body: undefined });
  expect(got).toEqual({ text: 'a', texts: [] });
});

test('a file without a type is plain text', async () => {
  await send(part('Content-Disposition: form-data; name="file"; filename="a"', '', 'a') + END);
  expect(got).toMatchObject({ file: { name: 'a', type: 'text/plain' } });
});

test('a form without parts has no fields', async () => {
  expect((await send(END)).status).toBe(204);
  expect(got).toEqual({ texts: [] });
});

const text = part('Content-Disposition: form-data; name="text"', '', 'a secret');

test.each([
  ['no body', '', TYPE],
  ['no body and no type', '', ''],
  ['a form without a type', text + END, ''],
  ['JSON', '{"text": "a secret"}', 'application/json'],
  ['an encoded form', 'text=a+secret', 'application/x-www-form-urlencoded'],
  ['another multipart type', text + END, `multipart/mixed; boundary=${BOUNDARY}`],
  ['no boundary', text + END, 'multipart/form-data'],
  ['an empty boundary', text + END, 'multipart/form-data; boundary='],
  ['another boundary', text + END, 'multipart/form-data; boundary=other'],
  ['no end', text, TYPE],
  ['an end in the middle of a part', text.slice(0, -5), TYPE],
  ['a part without a name', part('Content-Type: text/plain', '', 'a secret') + END, TYPE],
  ['a part without an empty line', part('Content-Disposition: form-data; name="text"') + END, TYPE],
  ['lines that end with LF', (text + END).replaceAll('\r\n', '\n'), TYPE],
  ['no parts', 'a secret', TYPE],
])('%s is refused, and the answer does not repeat it', async (_, body, type) => {
  const answer = await send(body, type);
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'], type: 'multipart_invalid' }] } });
  expect(JSON.stringify(answer.body)).not.toContain('secret');
  expect(got).toBeUndefined();
});

test.each([
  ['a text instead of a file', ['file', 'a secret'], ['body', 'file']],
  ['a text instead of a file of a list', ['files', 'a secret'], ['body', 'files', 0]],
  ['a file instead of a text', ['text', new File(['a secret'], 'a secret')], ['body', 'text']],
  ['two texts instead of one', ['text', 'a secret', 'text', 'b'], ['body', 'text']],
])('%s is refused', async (_, fields, loc) => {
  const form = new FormData();
  for (let index = 0; index < fields.length; index += 2) form.append(fields[index] as string, fields[index + 1] as string);
  const answer = await sendForm(form);
  expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc }] } });
  expect(JSON.stringify(answer.body)).not.toContain('secret');
});

test('names that all objects have are fields like others', async () => {
  const form = new FormData();
  for (const name of ['__proto__', 'constructor', 'toString']) form.append(name, 'x');
  expect((await sendForm(form)).status).toBe(204);
  expect(Object.getPrototypeOf(got)).toBe(Object.prototype);
});

test.each([
  [9, 204],
  [11, 413],
])('a client that sends %i MiB gets %i', async (size, status) => {
  const served = createApi([upload], service.authentication);
  const { url, close } = await serveApi(served);
  try {
    const form = new FormData();
    form.append('file', new File([Buffer.alloc(size * MIB)], 'large'));
    // With a length in its head, and without.
    for (const body of [form, new Response(form)]) {
      const [sent, type] = body instanceof Response ? [body.body, body.headers.get('content-type')!] : [body, undefined];
      const answer = await fetch(`${url}/upload`, {
        method: 'POST',
        headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
        body: sent,
        duplex: 'half',
      });
      expect(answer.status).toBe(status);
      if (status === 413) expect(await answer.json()).toEqual({ detail: expect.any(String) });
    }
  } finally {
    await close();
  }
});

test('a client that is still sending a body that is too large gets 413, and its connection does not break', async () => {
  const served = createApi([upload], service.authentication);
  const { url, close } = await serveApi(served);
  try {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let [answer, error]: [string, Error | undefined] = ['', undefined];
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.setEncoding('utf8').on('data', (some) => {
      answer += some;
    });
    socket.on('error', (given) => {
      error = given;
    });
    const head = [`content-type: ${TYPE}`, `x-service-api-key: ${headers['x-service-api-key']}`, `content-length: ${20 * MIB}`];
    socket.write(`POST /upload HTTP/1.1\r\nhost: x\r\n${head.join('\r\n')}\r\n\r\n`);
    for (let sent = 0; sent < 20; sent += 1) await new Promise((resolve) => socket.write(Buffer.alloc(MIB), resolve));
    await ended;
    expect([error, answer.split('\r\n')[0]]).toEqual([undefined, 'HTTP/1.1 413 Payload Too Large']);
  } finally {
    await close();
  }
});

test('other operations still take at most 1 MiB, and no form', async () => {
  const ask = async (type: string, payload: string) => {
    const answer = await app.inject({ method: 'POST', url: '/v2/user', headers: { ...headers, 'content-type': type }, payload });
    return answer.statusCode;
  };
  const form = part('Content-Disposition: form-data; name="client_user_id"', '', 'c-1') + END;
  expect(await ask(TYPE, form)).toBe(422);
  expect(await ask('application/json', JSON.stringify({ client_user_id: 'c-1', more: 'x'.repeat(MIB) }))).toBe(413);
  expect(await ask('application/json', '{"client_user_id": "ä-1"}')).toBe(200);
});
