import { z } from 'zod';
import { problem, validationSchema } from '../api/errors.ts';
import { type Answer, type AnswerForm, type Operation, operation } from '../api/operation.ts';
import { uuidSchema } from '../api/uuid.ts';
import type { Connections } from '../connections/connections.ts';
import type { User, UserSettings } from './user.ts';
import { notFound, success, UNKNOWN, userIdParams } from './user-answers.ts';
import { changedUserSchema, conflictForm, conflictSchema, newUserSchema, userForm, userSchema } from './user-forms.ts';
import type { Undoing, Users } from './users.ts';

const theUser: AnswerForm = { description: 'The user.', schema: userSchema };
const conflict: AnswerForm = { description: 'Another user has this client user id.', schema: conflictSchema };

/** The operations on users. */
export function userOperations(users: Users, connections: Connections): Operation[] {
  const tag = 'user';
  const form = (user: User) => userForm(user, connections.of(user.user_id));
  const found = (user: User | undefined): Answer => (user === undefined ? UNKNOWN : { status: 200, body: form(user) });
  return [
    operation({
      ...{ id: 'list_users', method: 'GET', path: '/v2/user', tag, summary: 'Lists the users of the team, the oldest first.' },
      query: z.object({
        offset: z.coerce.number().int().min(0).default(0),
        limit: z.coerce.number().int().min(1).max(500).default(100),
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
      ...{ id: 'create_user', method: 'POST', path: '/v2/user', tag, summary: 'Creates a user.' },
      body: newUserSchema,
      answers: { 200: theUser, 400: conflict, 422: invalidBounds },
      handle: ({ team, body: { client_user_id, ...given } }) => {
        if (areReversed(given)) return REVERSED_BOUNDS;
        const made = users.create(team.team_id, client_user_id, given);
        return 'taken' in made ? { status: 400, body: conflictForm(made.taken) } : { status: 200, body: form(made) };
      },
    }),
    operation({
      ...{ id: 'get_user', method: 'GET', path: '/v2/user/{user_id}', tag, summary: 'Returns a user.' },
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
      ...{ id: 'patch_user', method: 'PATCH', path: '/v2/user/{user_id}', tag, summary: 'Changes a user.' },
      params: userIdParams,
      body: changedUserSchema,
      answers: { 204: { description: 'Changed.' }, 400: conflict, 404: notFound, 422: invalidBounds },
      handle: ({ team, params: { user_id }, body }) => {
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
