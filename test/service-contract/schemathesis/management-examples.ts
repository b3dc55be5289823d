import type { Service } from '@aorta/service';
import { labAccounts } from '../../../infra/service/labs/lab-accounts.ts';
import type { Examples } from './examples.ts';

/** How many things an operation can delete. */
const SEVERAL = 40;

type Part = Pick<Examples, 'ofOperation' | 'bodies' | 'members'>;

/** Creates teams and keys in an organization, and returns examples of the operations that manage it. */
export function managementExamples(service: Service, org: string): Pick<Examples, 'parameters'> & Part {
  const [team] = service.teams.of(org).map(({ team_id }) => team_id) as [string];
  const parts = [
    teamExamples(service, org),
    keyExamples(service, org, team),
    webhookExamples(service, team),
    pipelineExamples(team),
    credentialExamples(service, team),
    preferenceExamples(team),
    labAccountExamples(team),
  ];
  const joined = <Name extends keyof Part>(name: Name): Part[Name] => Object.assign({}, ...parts.map((part) => part[name]));
  return {
    parameters: { org_id: [org], team_id: [team], region: ['us'], env: ['sandbox'], environment: ['sandbox'] },
    ofOperation: joined('ofOperation'),
    bodies: joined('bodies'),
    members: joined('members'),
  };
}

/** Returns the results of calls. */
const several = (make: (number: number) => string): string[] => Array.from({ length: SEVERAL }, (_, number) => make(number));

function teamExamples({ teams }: Service, org_id: string): Part {
  const integration_team_id = 'integration-1';
  const resolved = teams.add('resolved', { org_id, integration_team_id }).team_id;
  const deleted = several((number) => teams.add(`deleted ${number}`, { org_id }).team_id);
  return {
    ofOperation: {
      // The parameter is a list of regions.
      list_teams: { region: [] },
      update_team: { team_id: [resolved] },
      delete_team: { team_id: deleted },
    },
    bodies: {
      update_organization: { name: 'Clinics' },
      create_team: { name: 'Clinic', region: 'us' },
      update_team: { name: 'Clinic', sandbox: { partial_webhooks_enabled: true } },
      resolve_team: { integration_team_id },
      create_access_token: { env: 'sandbox' },
    },
    members: { resolve_team: { integration_team_id: [integration_team_id] }, create_access_token: { env: ['sandbox'] } },
  };
}

function keyExamples({ teams, managementKeys }: Service, org_id: string, team: string): Part {
  const owner = teams.find(team)!;
  const newKey = (): string => managementKeys.create({ org_id, label: '', creator: 'management_key', team_ids: [team] }).key_id;
  return {
    ofOperation: {
      update_management_key: { key_id: [newKey()] },
      delete_management_key: { key_id: several(newKey) },
      delete_team_api_keys: { api_key_id: several((number) => teams.keys.create(owner, `deleted ${number}`).key_id) },
    },
    bodies: {
      create_team_api_key: { label: 'second', team_id: team },
      create_management_key: { label: 'second', role: 'team_admin', team_role_bindings: [{ team_id: team }] },
      update_management_key: { label: 'renamed' },
    },
    members: { create_team_api_key: { team_id: [team] } },
  };
}

function webhookExamples({ endpoints }: Service, team: string): Part {
  const newWebhook = (): string => endpoints.create(team, { url: 'https://x.example/' }).endpoint_id;
  const kept = { webhook_id: [newWebhook()] };
  const reading = ['get_webhook', 'get_webhook_headers', 'get_webhook_secret'];
  const changing = ['update_webhook', 'update_webhook_headers', 'rotate_webhook_secret'];
  return {
    ofOperation: {
      ...Object.fromEntries([...reading, ...changing].map((id) => [id, kept])),
      delete_webhook: { webhook_id: several(newWebhook) },
    },
    bodies: {
      create_webhook: { url: 'https://x.example/', rate_limit: 5, filter_types: ['daily.data.sleep.created'] },
      update_webhook: { description: 'changed' },
      update_webhook_headers: { headers: { 'x-own': '1' } },
      rotate_webhook_secret: {},
    },
    members: {},
  };
}

const connection_string = 'Endpoint=sb://hubs.example.com/;SharedAccessKeyName=n;SharedAccessKey=a2V5';

function pipelineExamples(team: string): Part {
  return {
    ofOperation: {},
    bodies: { upsert_team_etl_pipelines: { team_ids: [team], azure_amqp: { connection_string, default_event_hub: 'hub' } } },
    members: {},
  };
}

function credentialExamples({ preferences: { credentials } }: Service, team: string): Part {
  const credential_id = ['quest', 'labcorp'].map((source) => credentials.set(team, source, {}).credential_id);
  const team_id = [team];
  return {
    // The other team_id parameter is a list that may be null.
    ofOperation: { list_team_credentials: { team_id: [] }, delete_team_credentials: { credential_id } },
    bodies: {
      set_team_credential: { team_id: team, provider: 'oura', client_id: 'id', client_secret: 'secret' },
      prepare_team_credential: { team_id: team, provider: 'oura' },
    },
    members: { set_team_credential: { team_id }, prepare_team_credential: { team_id } },
  };
}

function preferenceExamples(team: string): Part {
  const oura = { default: { historical_days_to_pull: 30 } };
  return {
    // The parameter is a list that may be null.
    ofOperation: { list_data_pull_preferences: { team_id: [] }, delete_data_pull_preferences: { team_id: [] } },
    bodies: {
      set_data_pull_preferences: { team_ids: [team], providers: { oura } },
      set_scope_requirements: { fitbit: { user_must_grant: ['activity'], user_may_grant: [] } },
    },
    members: {},
  };
}

function labAccountExamples(team: string): Part {
  const ids = labAccounts.map(({ id }) => id);
  return {
    ofOperation: {
      list_organization_lab_accounts: { lab_account_id: ids },
      // Orders need the other accounts.
      update_lab_account: { account_id: ids.slice(-1) },
    },
    bodies: { update_lab_account: { team_id_allowlist: [team] } },
    members: {},
  };
}
