import { expect } from 'vitest';

export type Json = Record<string, unknown>;

/** Sends a JSON request, and returns the answer. With a body, the method is POST. Fails if the server refuses. */
export async function ask(url: string, { body, key }: { readonly body?: object | undefined; readonly key?: string } = {}) {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-service-api-key': key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.ok, `${url} ${answer.status} ${text}`).toBe(true);
  return JSON.parse(text) as Json;
}
