import type { Operation } from '../api/operation.ts';
import type { TeamPreferences } from '../teams/team-preferences.ts';
import { credentialOperations } from './credential-operations.ts';
import { labAccountOperations } from './lab-account-operations.ts';
import type { Owners } from './managed-operation.ts';
import { pullPreferenceOperations } from './pull-preference-operations.ts';
import { scopeOperations } from './scope-operations.ts';

/** The operations on the preferences of teams. `address` returns the address of the service. */
export function preferenceOperations(owners: Owners, preferences: TeamPreferences, address: () => string): Operation[] {
  const { credentials, pulls, labAccounts, scopes } = preferences;
  return [
    ...credentialOperations(owners, credentials, address),
    ...pullPreferenceOperations(owners, pulls),
    ...labAccountOperations(owners, labAccounts),
    ...scopeOperations(owners, scopes),
  ];
}
