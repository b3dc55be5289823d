import { z } from 'zod';
import { problem } from '../api/errors.ts';
import type { AnswerForm, Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import { instant, instantSchema } from '../api/times.ts';
import { type ManagementKey, type ManagementKeys, roles } from '../teams/management-keys.ts';
import { managedOperation, type Owners, orgParams, Refusal } from './managed-operation.ts';

const tag = 'management key';
const KEYS = '/v1/org/{org_id}/management_key';

const bindingsSchema = z.array(z.object({ team_id: uuidSchema }));
const keySchema = z
  .object({
    id: z.uuid(),
    label: z.string(),
    created_at: instantSchema,
    creator: z.object({ type: z.enum(['management_key', 'vital_staff']) }),
    role: z.enum(roles),
    team_role_bindings: bindingsSchema.nullable(),
  })
  .meta({ id: 'ManagementKey' });
const newKeySchema = keySchema.extend({ key: z.string().describe('Shown only here.') }).meta({ id: 'NewManagementKey' });

const keyParams = orgParams.extend({ key_id: uuidSchema });
const noKey: AnswerForm = problem('The organization has no such key.');

interface Parts extends Owners {
  readonly managementKeys: ManagementKeys;
}

/** The operations on management keys. */
export function keyOperations(parts: Parts): Operation[] {
  const { managementKeys: keys } = parts;
  const known = (org: string, id: string): ManagementKey => {
    const key = keys.find(org, id);
    if (key === undefined) throw new Refusal(404, 'Management key not found');
    return key;
  };
  return [
    managedOperation(parts, {
      id: 'list_management_keys',
      method: 'GET',
      path: KEYS,
      tag,
      summary: 'Lists the management keys, the oldest first.',
      managed: 'organization',
      params: orgParams,
      query: z.object({
        team_id: uuidSchema.nullish().describe('Only keys that are bound to this team.'),
        role: z.enum(roles).nullish(),
      }),
      answers: {
        200: {
          description: 'All keys, without their texts.',
          schema: z.object({ data: z.array(keySchema), next_cursor: z.null() }),
        },
      },
      handle: ({ params: { org_id }, query: { team_id, role } }) => {
        const found = keys
          .list(org_id)
          .filter((key) => (team_id == null || key.team_ids?.includes(team_id)) && (role == null || key.role === role));
        return { status: 200, body: { data: found.map(form), next_cursor: null } };
      },
    }),
    managedOperation(parts, {
      id: 'create_management_key',
      method: 'POST',
      path: KEYS,
      tag,
      summary: 'Creates a key of the organization, or of one or more teams.',
      managed: 'organization',
      params: orgParams,
      body: z
        .object({ label: z.string(), role: z.enum(roles), team_role_bindings: bindingsSchema.nullish() })
        .refine(({ role, team_role_bindings: bound }) => (role === 'team_admin') === (bound != null && bound.length > 0), {
          path: ['team_role_bindings'],
          message: 'a team_admin key needs teams, and an org_admin key has none',
        })
        .meta({ id: 'ManagementKeyRequest', examples: [{ label: 'deployment', role: 'org_admin' }] }),
      answers: { 200: { description: 'The key with its text.', schema: newKeySchema } },
      handle: ({ teams, params: { org_id }, body: { label, role, team_role_bindings } }) => {
        const team_ids = role === 'org_admin' ? null : teams(idsOf(team_role_bindings)).map(({ team_id }) => team_id);
        const { key, ...made } = keys.create({ org_id, label, creator: 'management_key', team_ids });
        return { status: 200, body: { ...form(made), key } };
      },
    }),
    managedOperation(parts, {
      id: 'update_management_key',
      method: 'PATCH',
      path: `${KEYS}/{key_id}`,
      tag,
      summary: 'Changes the label of a key, or the teams that it controls.',
      managed: 'organization',
      params: keyParams,
      body: z
        .object({ label: z.string().nullish(), team_role_bindings: bindingsSchema.min(1).nullish() })
        .meta({ id: 'ChangedManagementKey' }),
      answers: {
        200: { description: 'The key.', schema: keySchema },
        400: { ...problem('The key cannot have these teams.') },
        404: noKey,
      },
      handle: ({ teams, params: { org_id, key_id }, body: { label, team_role_bindings } }) => {
        const before = known(org_id, key_id);
        const bound = team_role_bindings == null ? undefined : teams(idsOf(team_role_bindings)).map(({ team_id }) => team_id);
        if (bound !== undefined && before.team_ids === null)
          throw new Refusal(400, 'The key controls the whole organization, so it cannot be bound to teams');
        if (bound !== undefined && bound.length > 1 && before.creator !== 'management_key')
          throw new Refusal(400, 'Only a key that Create Management Key made can control two or more teams');
        keys.change(key_id, { label: label ?? undefined, team_ids: bound });
        return { status: 200, body: form(known(org_id, key_id)) };
      },
    }),
    managedOperation(parts, {
      id: 'delete_management_key',
      method: 'DELETE',
      path: `${KEYS}/{key_id}`,
      tag,
      summary: 'Deletes a management key.',
      managed: 'organization',
      params: keyParams,
      answers: { 200: { description: 'The key, which is no longer valid.', schema: keySchema }, 404: noKey },
      handle: ({ params: { org_id, key_id } }) => {
        const deleted = known(org_id, key_id);
        keys.delete(key_id);
        return { status: 200, body: form(deleted) };
      },
    }),
  ];
}

const idsOf = (bindings: z.output<typeof bindingsSchema> | null | undefined): string[] =>
  (bindings ?? []).map(({ team_id }) => team_id);

function form({ key_id, label, created_at, creator, role, team_ids }: ManagementKey): z.input<typeof keySchema> {
  return {
    id: key_id,
    label,
    created_at: instant(created_at),
    creator: { type: creator },
    role,
    team_role_bindings: team_ids === null ? null : team_ids.map((team_id) => ({ team_id })),
  };
}
