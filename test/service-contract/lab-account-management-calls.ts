import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';

const ACCOUNTS = '/lab_account/sandbox/us';

/** How a program calls the operations on the lab accounts of the organization. */
export const labAccountManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async list_organization_lab_accounts({ manage, org, team }) {
    const { body } = await manage('GET', ACCOUNTS);
    const numbers = body.data.map((account: Record<string, unknown>) => account.provider_account_id);
    expect(numbers).toEqual(['1001', '1002', '1003']);
    for (const account of body.data) expect(account).toMatchObject({ org_id: org, team_id_allowlist: [team] });
    const query = `lab_account_id=${body.data[1].id}&team_id=${team}&status=active`;
    expect((await manage('GET', `${ACCOUNTS}?${query}`)).body).toEqual({ data: [body.data[1]] });
  },
  async update_lab_account({ manage, sdk }) {
    const { id } = (await manage('GET', ACCOUNTS)).body.data[0];
    const { status, body } = await manage('PATCH', `${ACCOUNTS}/${id}`, { body: { team_id_allowlist: [] } });
    expect(status).toBe(200);
    expect(body.lab_account).toMatchObject({ id, team_id_allowlist: [] });
    const { data = [] } = await sdk.labAccount.getTeamLabAccounts();
    expect(data.map(({ providerAccountId }) => providerAccountId)).toEqual(['1002', '1003']);
  },
};
