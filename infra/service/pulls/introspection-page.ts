import { z } from 'zod';
import type { Database } from '../storage/database.ts';

/** The vendor's page size has no bound. A page has at most this many users, and a request may ask for more. */
const MOST_USERS = 500;

/** The last user of a page. Pages follow users by age, so users who are added or deleted do not move it. */
interface Position {
  readonly created_on: number;
  readonly user_id: string;
}

const positionSchema = z.tuple([z.int(), z.uuid()]);

/** An opaque text. Any text that the service has not given out is refused. */
const cursorSchema = z.string().transform((text, context): Position => {
  try {
    const [created_on, user_id] = positionSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    const position = { created_on, user_id };
    if (cursorOf(position) === text) return position;
  } catch {}
  context.issues.push({ code: 'custom', message: 'not a cursor of this service', input: text });
  return z.NEVER;
});

function cursorOf({ created_on, user_id }: Position): string {
  return Buffer.from(JSON.stringify([created_on, user_id])).toString('base64url');
}

/** The query of both introspection operations. `providers`: accepted slugs. */
export function pageQuery(providers: readonly string[]) {
  return z.object({
    user_id: z.uuid().optional(),
    provider: z.enum(providers).optional(),
    user_limit: z.coerce.number().int().min(1).default(50),
    next_cursor: cursorSchema.optional(),
    cursor: cursorSchema.optional().meta({ deprecated: true }),
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
export function pageOf<Item>(database: Database, team: string, query: PageQuery, item: (user: string) => Item) {
  const { user_id = null, provider = null, user_limit } = query;
  const after = query.next_cursor ?? query.cursor ?? { created_on: Number.MIN_SAFE_INTEGER, user_id: '' };
  const limit = Math.min(user_limit, MOST_USERS);
  const found = database.all<Position>(
    `select created_on, user_id from users u where team_id = ?1 and deleted_at is null and (created_on, user_id) > (?2, ?3)
       and (?4 is null or user_id = ?4)
       and (?5 is null or exists (select 1 from connections c where c.user_id = u.user_id and c.provider = ?5)
                       or exists (select 1 from data_counts d where d.user_id = u.user_id and d.provider = ?5))
     order by created_on, user_id limit ?6`,
    ...[team, after.created_on, after.user_id, user_id, provider, limit + 1],
  );
  const users = found.slice(0, limit);
  const next = found.length > limit ? cursorOf(users.at(-1)!) : null;
  return { data: users.map((user) => item(user.user_id)), next, next_cursor: next };
}
