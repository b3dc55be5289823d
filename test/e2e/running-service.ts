import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type RunningService, startProcess } from '../reference-service/process.ts';

export type { RunningService };
export type Json = Record<string, unknown>;

/** Starts `aorta service` in a folder, on free ports and with a stopped clock. `words` come after `service`, such as `start`. */
export function runService(folder: string, ...words: readonly string[]): Promise<RunningService> {
  return startProcess(folder, [...words, '--port', '0', '--control-port', '0', '--stopped', '--seed', '1']);
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** Sends a request with JSON. With a body, the method is POST. */
export async function request(
  url: string,
  { body, key }: { readonly body?: object; readonly key?: string } = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-service-api-key': key }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? {} : (JSON.parse(text) as Json) };
}

interface Message {
  readonly id: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** An HTTP server that receives webhooks, and answers with `status`. */
export async function receiveWebhooks() {
  const received: Message[] = [];
  const answer = { status: 204 };
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const part of incoming.setEncoding('utf8')) body += part;
    const { event_type } = JSON.parse(body) as { event_type: string };
    received.push({ id: String(incoming.headers['svix-id']), type: event_type, headers: incoming.headers, body });
    response.writeHead(answer.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;
  return { received, answer, url, close: () => void server.close() };
}
