import { ServiceError } from './errors.ts';

/** The cursor of the next page; undefined where there is none. The service's own example writes the end as the text None. */
export function cursorOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}

/** Something that comes in pages: the cursor leads to the next one. */
export interface Paged {
  readonly value: { readonly next: string | undefined };
}

/**
 * All pages, one after the other. Rejects with AORTA-SERVICE-CURSOR where a cursor comes a second time: the pages would
 * never end. `from` is where an interrupted walk goes on.
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
    // Before the page is handed out: what a loop brings was there already.
    if (next !== undefined && seen.has(next)) throw new ServiceError('AORTA-SERVICE-CURSOR', { operation, pages: seen.size + 1 });
    yield page;
    if (next === undefined) return;
    seen.add(next);
    cursor = next;
  }
}
