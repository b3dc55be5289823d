import { ServiceError } from './errors.ts';

/** Returns the next page's cursor; undefined on the last page. In the service's example, the last page has the cursor `None`. */
export function cursorOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}

/** A page with the cursor of the next page. */
export interface Paged {
  readonly value: { readonly next: string | undefined };
}

/**
 * Yields all pages in order. If a page's next cursor has occurred before, the iteration would never end, so it rejects
 * with AORTA-SERVICE-CURSOR and does not yield that page. An interrupted iteration resumes at the cursor `from`.
 */
export async function* everyPage<A extends Paged>(
  operation: string,
  ask: (cursor: string | undefined) => Promise<A>,
  from?: string,
): AsyncGenerator<A> {
  const seen = new Set<string>(from === undefined ? [] : [from]);
  for (let cursor = from; ; ) {
    const page = await ask(cursor);
    const { next } = page.value;
    if (next !== undefined && seen.has(next)) throw new ServiceError('AORTA-SERVICE-CURSOR', { operation, pages: seen.size + 1 });
    yield page;
    if (next === undefined) return;
    seen.add(next);
    cursor = next;
  }
}
