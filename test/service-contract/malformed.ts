import type { Operation } from './exchange.ts';

/**
 * Returns a request whose path, query and body do not have the documented form, as far as a text cannot have it. The body is JSON,
 * also for a multipart operation.
 */
export function malformed({ method, path, query, body }: Operation, base: string): { url: URL; init: RequestInit } {
  const url = new URL(path.replaceAll(/\{\w+\}/g, 'x'), base);
  for (const name of Object.keys(query?.shape ?? {})) url.searchParams.set(name, 'x');
  const json = { headers: { 'content-type': 'application/json' }, body: '"x"' };
  return { url, init: { method, ...(body === undefined ? {} : json) } };
}
