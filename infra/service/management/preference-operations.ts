import type { Operation } from '../api/operation.ts';
import type { TeamPreferences } from '../teams/team-preferences.ts';
import { credentialOperations } from './credential-operations.ts';
import type { Owners } from './managed-operation.ts';

/** The operations on the preferences of teams. `address` returns the address of the service. */
export function preferenceOperations(owners: Owners, { credentials }: TeamPreferences, address: () => string): Operation[] {
  return [...credentialOperations(owners, credentials, address)];
}
