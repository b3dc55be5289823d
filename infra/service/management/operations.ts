import type { Operation } from '../api/operation.ts';
import type { DeliveryCounts } from '../delivery/counts.ts';
import type { Pipelines } from '../etl/pipelines.ts';
import type { LabOrders } from '../orders/lab-orders.ts';
import type { State } from '../state.ts';
import type { ManagementKeys } from '../teams/management-keys.ts';
import type { AccessTokens } from '../teams/team-keys.ts';
import type { TeamPreferences } from '../teams/team-preferences.ts';
import type { Change } from '../versions/versions.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import { credentialOperations } from './credential-operations.ts';
import { keyOperations } from './key-operations.ts';
import { labAccountOperations } from './lab-account-operations.ts';
import type { Owners } from './managed-operation.ts';
import { metricOperation } from './metric-operation.ts';
import { pipelineOperations } from './pipeline-operations.ts';
import { pullPreferenceOperations } from './pull-preference-operations.ts';
import { scopeOperations } from './scope-operations.ts';
import { teamKeyOperations } from './team-key-operations.ts';
import { organizationOperations, teamOperations } from './team-operations.ts';
import { webhookOperations } from './webhook-operations.ts';

interface Parts extends Omit<Owners, 'cursors'> {
  readonly managementKeys: ManagementKeys;
  readonly endpoints: Endpoints;
  readonly pipelines: Pipelines;
  readonly deliveryCounts: DeliveryCounts;
  readonly preferences: TeamPreferences;
  /** The part that knows the address of the service. */
  readonly labs: Pick<LabOrders, 'urls'>;
}

/** The operations on the preferences of teams. `address` returns the address of the service. */
function preferenceOperations(owners: Owners, preferences: TeamPreferences, address: () => string): Operation[] {
  const { credentials, pulls, labAccounts, scopes } = preferences;
  return [
    ...credentialOperations(owners, credentials, address),
    ...pullPreferenceOperations(owners, pulls),
    ...labAccountOperations(owners, labAccounts),
    ...scopeOperations(owners, scopes),
  ];
}

/** The operations that manage organizations and their teams. */
export function managementOperations(parts: Parts, { cursors, clock }: State, tokens: AccessTokens): Operation[] {
  const { organizations, teams, managementKeys, endpoints, pipelines, deliveryCounts, preferences } = parts;
  const owners: Owners = { organizations, teams, cursors };
  return [
    ...organizationOperations(owners),
    ...teamOperations(owners, tokens),
    ...teamKeyOperations(owners),
    ...since('management keys of teams', keyOperations({ ...owners, managementKeys })),
    ...since('management of webhooks', webhookOperations(owners, endpoints)),
    ...pipelineOperations({ ...owners, pipelines }),
    ...preferenceOperations(owners, preferences, () => parts.labs.urls.base),
    metricOperation({ ...owners, deliveryCounts, clock }),
  ];
}

const since = (change: Change, operations: readonly Operation[]): Operation[] =>
  operations.map((one) => ({ ...one, since: change }));
