import { expect } from 'vitest';
import type { ManagementCall } from './management-calls.ts';

/** How a program manages its organization, by operation. */
export const organizationManagementCalls: Readonly<Record<string, ManagementCall>> = {
  async get_organization({ org, manage }) {
    expect(await manage('GET', '')).toEqual({ status: 200, body: { id: org, name: 'default', expires_at: null } });
  },
  async update_organization({ service, org, team, manage }) {
    const renamed = { id: org, name: 'Clinics', expires_at: null };
    expect(await manage('PATCH', '', { body: { name: 'Clinics' } })).toEqual({ status: 200, body: renamed });
    expect((await manage('GET', '')).body).toEqual(renamed);
    const { key } = service.managementKeys.create({ org_id: org, label: '', creator: 'vital_staff', team_ids: [team] });
    expect(await manage('PATCH', '', { key, body: { name: 'x' } })).toMatchObject({ status: 403 });
  },
};
