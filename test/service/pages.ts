import type { Json, World } from './world.ts';

/** Returns the page at a cursor. The cursor of the last page is the string `None`, as in the service's own example. */
export function cursorPage(all: readonly unknown[], query: URLSearchParams, limitName: string, world: World): Json {
  const from = Number(query.get('next_cursor') ?? query.get('cursor') ?? 0);
  const to = from + Math.min(Number(query.get(limitName) ?? 50), world.pageSize ?? 50);
  const next = to < all.length ? String(to) : 'None';
  return { data: all.slice(from, to), next_cursor: next, next };
}

/** Returns the page with the requested number. Page numbers start at 1. */
export function numberedPage(member: string, all: readonly unknown[], query: URLSearchParams, world: World): Json {
  const size = Math.min(Number(query.get('size') ?? 50), world.pageSize ?? 100);
  const page = Number(query.get('page') ?? 1);
  return { [member]: all.slice((page - 1) * size, page * size), total: all.length, page, size };
}

export function offsetPage(member: string, all: readonly unknown[], query: URLSearchParams, world: World): Json {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? 100), 500, world.pageSize ?? 500);
  return { [member]: all.slice(offset, offset + limit), total: all.length, offset, limit };
}
