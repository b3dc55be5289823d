import { z } from 'zod';
import { PAGE, Pages } from '../api/cursor.ts';
import type { Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import type { TeamKey } from '../teams/team-keys.ts';
import { managedOperation, type Owners, regionParams } from './managed-operation.ts';

const tag = 'team API key';
const KEYS = '/v1/org/{org_id}/team_api_keys/{env}/{region}';

const keySchema = z
  .object({
    id: z.uuid(),
    label: z.string(),
    value: z.string().describe('The whole key at its creation, and later one with a hidden middle.'),
    team_id: z.uuid(),
    created_at: instantSchema,
  })
  .meta({ id: 'TeamApiKey' });

/** What became of each id of a deletion. */
export const deletionSchema = z
  .object({ success: z.array(z.uuid()), failure: z.array(z.uuid()), not_found: z.array(z.uuid()) })
  .meta({ id: 'Deletion' });

/** The operations on the keys with which teams call the data and lab API. */
export function teamKeyOperations(owners: Owners): Operation[] {
  const { keys } = owners.teams;
  const pages = new Pages(owners.cursors, 'team API keys');
  return [
    managedOperation(owners, {
      id: 'list_team_api_keys',
      method: 'GET',
      path: KEYS,
      tag,
      summary: 'Lists the keys of teams, the oldest first.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ team_id: uuidSchema.nullish(), next_cursor: pages.parameter }),
      answers: {
        200: {
          description: 'A page of keys.',
          schema: z.object({ api_keys: z.array(keySchema), next_cursor: z.string().nullable() }),
        },
      },
      handle: ({ teams, query: { team_id, next_cursor: after } }) => {
        const ids = teams(team_id == null ? undefined : [team_id]).map((team) => team.team_id);
        const { page, next_cursor } = pages.of(keys.page(ids, after, PAGE + 1));
        return { status: 200, body: { api_keys: page.map((key) => form(key)), next_cursor } };
      },
    }),
    managedOperation(owners, {
      id: 'create_team_api_key',
      method: 'POST',
      path: KEYS,
      tag,
      summary: 'Creates a key of a team. Earlier keys stay valid.',
      managed: 'teams',
      params: regionParams,
      body: z.object({ label: z.string(), team_id: uuidSchema }).meta({ id: 'NewTeamApiKey' }),
      answers: { 200: { description: 'The key with its text, which is shown only here.', schema: keySchema } },
      handle: ({ team, body: { label, team_id } }) => {
        const { key, ...made } = keys.create(team(team_id), label);
        return { status: 200, body: form(made, key) };
      },
    }),
    managedOperation(owners, {
      id: 'delete_team_api_keys',
      method: 'DELETE',
      path: KEYS,
      tag,
      summary: 'Deletes keys of teams at once.',
      managed: 'teams',
      params: regionParams,
      query: z.object({ api_key_id: z.array(uuidSchema).min(1) }),
      answers: { 200: { description: 'What became of each key.', schema: deletionSchema } },
      handle: ({ teams, query: { api_key_id } }) => {
        const controlled = new Set(teams().map(({ team_id }) => team_id));
        const known = [...new Set(api_key_id)].filter((id) => controlled.has(keys.find(id)?.team_id ?? ''));
        for (const id of known) keys.delete(id);
        const not_found = api_key_id.filter((id) => !known.includes(id));
        return { status: 200, body: { success: known, failure: [], not_found } };
      },
    }),
  ];
}

function form({ key_id, label, hint, team_id, created_at }: TeamKey, value = hint): z.input<typeof keySchema> {
  return { id: key_id, label, value, team_id, created_at: instant(created_at) };
}
