import type { Operation } from './exchange.ts';

/** The credentials that the test sends with each request. */
export const credentials = {
  none: 'no key',
  wrong: 'wrong key',
  team: 'key of the team',
  otherTeam: 'key of another team',
  deleted: 'key of a deleted team',
  organization: 'management key of the organization',
  inside: 'management key of the teams',
  outside: 'management key of other teams',
  otherOrganization: 'management key of another organization',
  deprecated: 'management key of the organization in `X-Service-Org-Key`',
  inTeamHeader: "management key in the team's header",
  inManagementHeader: "team's key in the management header",
} as const;

export type Credential = keyof typeof credentials;

/** Operations whose successful answer has another status than 200. */
const successes: Readonly<Record<string, number>> = {
  patch_user: 204,
  refresh_user: 202,
  bulk_trigger_historical_pull: 202,
  create_unmatched_result_test: 202,
  delete_webhook: 204,
  update_webhook_headers: 204,
  rotate_webhook_secret: 204,
};

/**
 * Operations of teams that succeed with the key of another team. Their request names nothing that belongs to a team, or names it
 * in a filter or list. The answer then leaves out the things of other teams.
 */
const ofEveryTeam: readonly string[] = [
  'list_users',
  'create_user',
  'get_metrics',
  'introspect_historical_pulls',
  'introspect_resources',
  'bulk_trigger_historical_pull',
  'list_orders',
  'list_orders_without_version',
  'resend_order_events',
  'list_labs',
  'list_lab_accounts',
  'list_markers',
  'get_marker',
  'list_lab_tests',
  'list_all_lab_tests',
  'get_lab_test',
  'list_markers_of_lab_test',
  'list_markers_of_order_set',
  'list_phlebotomy_slots',
  'list_psc_slots',
  'list_phlebotomy_cancellation_reasons',
  'list_psc_cancellation_reasons',
  'list_unmatched_results',
  'list_unmatched_result_test_cases',
  'create_unmatched_result_test',
];

/** Statuses for a management key of other teams, if the request does not name a team by its id. */
const outside: Readonly<Record<string, number>> = {
  list_teams: 200,
  list_team_api_keys: 200,
  // The answer says which keys or credentials are not found.
  delete_team_api_keys: 200,
  delete_team_credentials: 200,
  resolve_team: 404,
};

/** Returns the status that an operation must answer with, by the credential of a request that is right otherwise. */
export function expectedStatus(operation: Operation, credential: Credential): number {
  const success = successes[operation.id] ?? 200;
  if (operation.managed === undefined) {
    if (credential === 'team') return success;
    if (credential === 'otherTeam') return ofEveryTeam.includes(operation.id) ? success : 404;
    return 401;
  }
  if (credential === 'organization' || credential === 'deprecated') return success;
  if (credential === 'otherOrganization') return 403;
  if (credential === 'inside') return operation.managed === 'organization' ? 403 : success;
  if (credential === 'outside') return operation.managed === 'organization' ? 403 : (outside[operation.id] ?? 403);
  return 401;
}

/** The operations for which a rule has an exception. */
export const ruledOperations: readonly string[] = [...Object.keys(successes), ...ofEveryTeam, ...Object.keys(outside)];
