import { z } from 'zod';
import type { Cursors } from '../api/cursor.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { State } from '../state.ts';

/** The vendor's page size has no bound. A page has at most this many users, and a request may ask for more. */
const MOST_USERS = 500;

/** The number of the last user of a page. Pages follow users by age, so users who are added or deleted do not move it. */
const positionSchema = z.tuple([z.int()]);

/** The query of both introspection operations. `scope`: the operation's cursors. `providers`: accepted slugs. */
export function pageQuery(cursors: Cursors, scope: string, providers: readonly string[]) {
  const cursor = cursors.schema(scope, positionSchema).optional();
  return z.object({
    user_id: uuidSchema.optional(),
    provider: z.enum(providers).optional(),
    user_limit: z.coerce.number().int().min(1).default(50),
    next_cursor: cursor,
    cursor: cursor.meta({ deprecated: true }),
  });
}

type PageQuery = z.output<ReturnType<typeof pageQuery>>;

/** An answer with a page. `item`: the form of a user. */
export function pageSchema(item: z.ZodType) {
  return z.object({
    data: z.array(item),
    next: z.string().nullable().meta({ deprecated: true }),
    next_cursor: z.string().nullable(),
  });
}

/**
 * Returns a page of the team's users, the oldest first, each in the form that `item` gives. With a provider, it lists only
 * users with a connection to it or data of it.
 */
export function pageOf<Item>(
  { database, cursors }: State,
  { scope, team, query }: { readonly scope: string; readonly team: string; readonly query: PageQuery },
  item: (user: string) => Item,
) {
  const { user_id = null, provider = null, user_limit } = query;
  const [after] = query.next_cursor ?? query.cursor ?? [0];
  const limit = Math.min(user_limit, MOST_USERS);
  const found = database.all<{ readonly number: number; readonly user_id: string }>(
    `select number, user_id from users u where team_id = ?1 and deleted_at is null and number > ?2
       and (?3 is null or user_id = ?3)
       and (?4 is null or exists (select 1 from connections c where c.user_id = u.user_id and c.provider = ?4)
                       or exists (select 1 from data_counts d where d.user_id = u.user_id and d.provider = ?4))
     order by number limit ?5`,
    ...[team, after, user_id, provider, limit + 1],
  );
  const users = found.slice(0, limit);
  const next = found.length > limit ? cursors.of(scope, [users.at(-1)!.number]) : null;
  return { data: users.map((user) => item(user.user_id)), next, next_cursor: next };
}
