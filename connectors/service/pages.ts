import { ServiceError } from './errors.ts';

/** Returns the cursor of the next page, or undefined at the end. In its own example, the service marks the end with the text None. */
export function cursorOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}

/** A page that has the cursor of the next one. */
export interface Paged {
  readonly value: { readonly next: string | undefined };
}

/**
 * Yields all pages in order. Rejects with AORTA-SERVICE-CURSOR if a cursor repeats, since the pages would never end.
 * `from` is the cursor at which an interrupted iteration continues.
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
    // Checked before the page is yielded: the pages of a loop were yielded already.
    if (next !== undefined && seen.has(next)) throw new ServiceError('AORTA-SERVICE-CURSOR', { operation, pages: seen.size + 1 });
    yield page;
    if (next === undefined) return;
    seen.add(next);
    cursor = next;
  }
}
