import { z } from 'zod';
import { InvalidInput, problem, validationSchema } from '../api/errors.ts';
import { type Answer, type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { decimal, uuidSchema } from '../api/parameters.ts';
import { birthDateSchema, dateSchema, instant, instantSchema, lastDate, NOT_BORN, timeZoneSchema } from '../api/times.ts';
import { type Connection, type Connections, connectedSourceForm, connectedSourceSchema } from '../connections/connections.ts';
import { addedBy } from '../versions/versions.ts';
import {
  fallbackZoneOf,
  notFound,
  success,
  UNKNOWN,
  type Undoing,
  type User,
  type UserSettings,
  type Users,
  userIdParams,
} from './users.ts';

/** `source_slug` of the values that the team has set. */
const OWN_SOURCE = 'manual';
/** `source_slug` of the time zone of users for whom the team has set none. */
const NO_SOURCE = 'service';

const zoneSchema = z.string().meta({ examples: ['Europe/Berlin'] });
const fallbackBirthDateSchema = birthDateSchema.meta({ examples: ['1980-02-03'] });

const userSchema = z
  .object({
    user_id: z.uuid(),
    team_id: z.uuid(),
    client_user_id: z.string(),
    created_on: instantSchema,
    connected_sources: z.array(connectedSourceSchema),
    fallback_time_zone: z.object({ id: zoneSchema, source_slug: z.string(), updated_at: instantSchema }),
    fallback_birth_date: z
      .object({ value: fallbackBirthDateSchema, source_slug: z.string(), updated_at: instantSchema })
      .nullable(),
    ingestion_start: dateSchema.nullable(),
    ingestion_end: dateSchema.nullable(),
  })
  .meta({ id: 'User' });

/** Returns a user in the form of the API. */
function userForm(user: User, connections: readonly Connection[]): z.input<typeof userSchema> {
  const { user_id, team_id, client_user_id, created_on, ingestion_start, ingestion_end } = user;
  const { fallback_time_zone: zone, fallback_birth_date: birth } = user;
  return {
    user_id,
    team_id,
    client_user_id,
    ingestion_start,
    ingestion_end,
    created_on: instant(created_on),
    connected_sources: connections.map(connectedSourceForm),
    fallback_time_zone: {
      id: fallbackZoneOf(user),
      ...(zone === null
        ? { source_slug: NO_SOURCE, updated_at: instant(created_on) }
        : { source_slug: OWN_SOURCE, updated_at: instant(user.fallback_time_zone_at!) }),
    },
    fallback_birth_date:
      birth === null ? null : { value: birth, source_slug: OWN_SOURCE, updated_at: instant(user.fallback_birth_date_at!) },
  };
}

const settings = {
  fallback_time_zone: timeZoneSchema.nullish(),
  fallback_birth_date: birthDateSchema.nullish(),
  ingestion_start: dateSchema.nullish(),
  ingestion_end: dateSchema.nullish(),
};

/** Most characters of a client user id. With more, its path would be longer than what usual servers accept. */
const MOST_CHARACTERS = 512;

/** Also within other text, such as `Jane <jane@example.com>`. */
const EMAIL = /[^\s@]+@[^\s@]+\.[^\s@]+/;
/** Schemes of addresses (RFC 6068, RFC 3966, RFC 5724). */
const ADDRESS = /^(mailto|tel|sms):/i;
/** E.164: a plus sign, and at most 15 digits. Without the plus sign, digits are a legitimate id. */
const PHONE = /^\+[1-9]\d{1,14}$/;
/** A number of the North American plan without a country: (415) 555-0171. */
const NATIONAL_PHONE = /^(\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/;
/** What people write between the digits of a phone number, and the zero that is not dialled from abroad. */
const SEPARATORS = /\(0\)|[\s().\-/\u2010-\u2015]/g;

/**
 * Returns why a client user id is refused, or undefined. It must not identify a person, and a message must not repeat it. It is
 * part of paths, so a client must be able to write it into one.
 */
export function clientUserIdProblem(id: string): string | undefined {
  if ([...id].length > MOST_CHARACTERS) return `client_user_id must not be longer than ${MOST_CHARACTERS} characters`;
  // Clients remove these segments from paths (RFC 3986, 5.2.4).
  if (id === '.' || id === '..') return 'client_user_id must not be a dot segment of a path';
  // Full-width characters stand for their usual forms.
  const text = id.normalize('NFKC').trim();
  if (text === '') return 'client_user_id must not be empty';
  if (EMAIL.test(text)) return 'client_user_id must not be an email address';
  if (ADDRESS.test(text)) return 'client_user_id must not be an address';
  if (PHONE.test(text.replaceAll(SEPARATORS, '')) || NATIONAL_PHONE.test(text))
    return 'client_user_id must not be a phone number';
  return undefined;
}

/** A client user id that a team can choose. */
const clientUserIdSchema = z
  .string()
  .superRefine((id, context) => {
    const problem = clientUserIdProblem(id);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  // The form of JSON Schema counts characters, and that of zod counts UTF-16 code units.
  .meta({ minLength: 1, maxLength: MOST_CHARACTERS });

const newUserSchema = z.object({ client_user_id: clientUserIdSchema, ...settings }).meta({ id: 'NewUser' });
const changedUserSchema = z.object({ client_user_id: clientUserIdSchema.optional(), ...settings }).meta({ id: 'ChangedUser' });

const added = addedBy('existing user in conflicts');
const existing = { user_id: z.uuid().meta(added), created_on: instantSchema.meta(added) };

const CONFLICT = { error_type: 'INVALID_REQUEST', error_message: 'Client user id already exists.' };
const conflictDetailSchema = z.object({
  error_type: z.string().meta({ examples: [CONFLICT.error_type] }),
  error_message: z.string().meta({ examples: [CONFLICT.error_message] }),
  ...existing,
});

/** The conflict is at the top level, as documented, and under `detail`, as the real service has it. */
const conflictSchema = z.object({ ...existing, detail: conflictDetailSchema }).meta({ id: 'UserConflict' });

function conflictForm({ user_id, created_on }: Pick<User, 'user_id' | 'created_on'>): z.input<typeof conflictSchema> {
  const found = { user_id, created_on: instant(created_on) };
  return {
    ...found,
    detail: { ...CONFLICT, ...found },
  };
}

const theUser: AnswerForm = { description: 'The user.', schema: userSchema };
const conflict: AnswerForm = { description: 'Another user has this client user id.', schema: conflictSchema };

/** The operations on users. */
export function userOperations(users: Users, connections: Connections): Operation[] {
  const tag = 'user';
  const form = (user: User) => userForm(user, connections.of(user.user_id));
  const mustBeBorn = ({ fallback_birth_date: birth }: UserSettings): void => {
    if (birth != null && birth > lastDate(users.now())) throw new InvalidInput(['body', 'fallback_birth_date'], NOT_BORN);
  };
  const found = (user: User | undefined): Answer => (user === undefined ? UNKNOWN : { status: 200, body: form(user) });
  return [
    operation({
      id: 'list_users',
      method: 'GET',
      path: '/v2/user',
      tag,
      summary: 'Lists the users of the team, the oldest first.',
      query: z.object({
        offset: decimal(z.int().min(0)).default(0),
        limit: decimal(z.int().min(1).max(500)).default(100),
      }),
      answers: {
        200: {
          description: 'A page of users.',
          schema: z.object({ users: z.array(userSchema), total: z.int(), offset: z.int(), limit: z.int() }),
        },
      },
      handle: ({ team, query: { offset, limit } }) => {
        const page = users.page(team.team_id, offset, limit);
        return { status: 200, body: { users: page.users.map(form), total: page.total, offset, limit } };
      },
    }),
    operation({
      id: 'create_user',
      method: 'POST',
      path: '/v2/user',
      tag,
      summary: 'Creates a user.',
      body: newUserSchema,
      answers: { 200: theUser, 400: conflict, 422: invalidBounds },
      handle: ({ team, body: { client_user_id, ...given } }) => {
        mustBeBorn(given);
        if (areReversed(given)) return REVERSED_BOUNDS;
        const made = users.create(team.team_id, client_user_id, given);
        return 'taken' in made ? { status: 400, body: conflictForm(made.taken) } : { status: 200, body: form(made) };
      },
    }),
    operation({
      id: 'get_user',
      method: 'GET',
      path: '/v2/user/{user_id}',
      tag,
      summary: 'Returns a user.',
      params: userIdParams,
      answers: { 200: theUser, 404: notFound },
      handle: ({ team, params: { user_id } }) => found(users.find(team.team_id, user_id)),
    }),
    operation({
      id: 'resolve_user',
      method: 'GET',
      path: '/v2/user/resolve/{client_user_id}',
      tag,
      summary: 'Returns the user with a client user id.',
      params: z.object({ client_user_id: z.string() }),
      answers: { 200: theUser, 404: notFound },
      handle: ({ team, params: { client_user_id } }) => found(users.resolve(team.team_id, client_user_id)),
    }),
    operation({
      id: 'patch_user',
      method: 'PATCH',
      path: '/v2/user/{user_id}',
      tag,
      summary: 'Changes a user.',
      params: userIdParams,
      body: changedUserSchema,
      answers: { 204: { description: 'Changed.' }, 400: conflict, 404: notFound, 422: invalidBounds },
      handle: ({ team, params: { user_id }, body }) => {
        mustBeBorn(body);
        const user = users.find(team.team_id, user_id);
        if (user !== undefined && areReversed(body, user)) return REVERSED_BOUNDS;
        const changed = users.change(team.team_id, user_id, body);
        if (changed === undefined) return UNKNOWN;
        return 'taken' in changed ? { status: 400, body: conflictForm(changed.taken) } : { status: 204 };
      },
    }),
    operation({
      id: 'delete_user',
      method: 'DELETE',
      path: '/v2/user/{user_id}',
      tag,
      summary: 'Deletes a user. The deletion can be undone for 7 days.',
      params: userIdParams,
      answers: { 200: success, 404: notFound },
      handle: ({ team, params: { user_id } }) =>
        users.delete(team.team_id, user_id) ? { status: 200, body: { success: true } } : UNKNOWN,
    }),
    operation({
      id: 'undo_delete_user',
      since: 'undo of deletions',
      method: 'POST',
      path: '/v2/user/undo_delete',
      tag,
      summary: 'Undoes a deletion of the last 7 days.',
      query: deletedUser,
      // The vendor's reference has the ids in the query, and an example of its guide has them in the body.
      body: deletedUser.optional(),
      answers: {
        200: success,
        400: problem('Another user has the client user id by now.'),
        404: problem('There is no such deletion, or it is older than 7 days.'),
        422: { description: 'The request does not name exactly one user.', schema: validationSchema },
      },
      handle: ({ team, query, body }) => {
        const { user_id, client_user_id } = { ...body, ...query };
        if ((user_id === undefined) === (client_user_id === undefined)) return NOT_ONE_USER;
        return undone[
          users.undoDeletion(team.team_id, user_id === undefined ? { client_user_id: client_user_id! } : { user_id })
        ];
      },
    }),
  ];
}

const invalidBounds: AnswerForm = {
  description: 'The request does not have the documented form, or the ingestion would start after its end.',
  schema: validationSchema,
};

const REVERSED_BOUNDS: Answer = {
  status: 422,
  body: { detail: [{ loc: ['body'], msg: 'ingestion_start must not be later than ingestion_end', type: 'value_error' }] },
};

/** Returns whether the bounds of ingestion would be reversed. A bound that is not given stays as it is. */
function areReversed(given: UserSettings, stored?: User): boolean {
  const { ingestion_start: start = stored?.ingestion_start, ingestion_end: end = stored?.ingestion_end } = given;
  return start != null && end != null && start > end;
}

const deletedUser = z.object({ user_id: uuidSchema.optional(), client_user_id: z.string().optional() });

const NOT_ONE_USER: Answer = {
  status: 422,
  body: {
    detail: [{ loc: ['query'], msg: 'either user_id or client_user_id is required, but not both', type: 'value_error' }],
  },
};

const undone: Readonly<Record<Undoing, Answer>> = {
  done: { status: 200, body: { success: true } },
  'not deleted': { status: 404, body: { detail: 'No deletion of this user can be undone' } },
  taken: { status: 400, body: { detail: 'Another user has this client user id' } },
};
