import { z } from 'zod';
import { problem } from '../api/errors.ts';
import type { Operation } from '../api/operation.ts';
import { uuidSchema } from '../api/parameters.ts';
import {
  accountOf,
  accountStatuses,
  type LabAccount,
  labAccountForm,
  labAccountSchema,
  labAccounts,
} from '../labs/lab-accounts.ts';
import type { LabAccountTeams } from '../teams/team-preferences.ts';
import { managedOperation, type Owners, Refusal, regionParams } from './managed-operation.ts';

const tag = 'lab account';
const ACCOUNTS = '/v1/org/{org_id}/lab_account/{env}/{region}';

const missing = problem('There is no such lab account, or the organization has no such team.');

/** The operations on the lab accounts of an organization. */
export function labAccountOperations(owners: Owners, accounts: LabAccountTeams): Operation[] {
  const form = (group: Parameters<LabAccountTeams['of']>[0], account: LabAccount) =>
    labAccountForm(account, { org_id: group.org_id, teams: accounts.of(group, account.id) });
  return [
    managedOperation(owners, {
      id: 'list_organization_lab_accounts',
      method: 'GET',
      path: ACCOUNTS,
      tag,
      summary: 'Lists the lab accounts, each with the teams that can use it.',
      managed: 'organization',
      params: regionParams,
      query: z.object({
        lab_account_id: uuidSchema.nullish(),
        team_id: uuidSchema.nullish().describe('Only accounts that this team can use.'),
        status: z.enum(accountStatuses).nullish(),
      }),
      answers: {
        200: { description: 'The lab accounts.', schema: z.object({ data: z.array(labAccountSchema) }) },
        404: missing,
      },
      handle: ({ team, params, query: { lab_account_id, team_id, status } }) => {
        if (team_id != null) team(team_id);
        const forms = (lab_account_id == null ? labAccounts : [known(lab_account_id)]).map((account) => form(params, account));
        const data = forms
          .filter((one) => team_id == null || one.team_id_allowlist.includes(team_id))
          .filter((one) => status == null || one.status === status);
        return { status: 200, body: { data } };
      },
    }),
    managedOperation(owners, {
      id: 'update_lab_account',
      method: 'PATCH',
      path: `${ACCOUNTS}/{account_id}`,
      tag,
      summary: 'Sets which teams of the region can use a lab account. At first, all can.',
      managed: 'organization',
      params: regionParams.extend({ account_id: uuidSchema }),
      body: z.object({ team_id_allowlist: z.array(uuidSchema) }).meta({ id: 'ChangedLabAccount' }),
      answers: {
        200: { description: 'The lab account.', schema: z.object({ lab_account: labAccountSchema }) },
        404: missing,
      },
      handle: ({ teams, params, body: { team_id_allowlist } }) => {
        const account = known(params.account_id);
        accounts.allow(
          params,
          account.id,
          teams(team_id_allowlist).map(({ team_id }) => team_id),
        );
        return { status: 200, body: { lab_account: form(params, account) } };
      },
    }),
  ];
}

function known(id: string): LabAccount {
  const account = accountOf(id);
  if (account === undefined) throw new Refusal(404, 'Lab account not found');
  return account;
}
