import type { Service } from '@aorta/service';
import type { Examples } from './examples.ts';

/** How many things an operation can delete. */
const SEVERAL = 40;

type Part = Pick<Examples, 'ofOperation' | 'bodies' | 'members'>;

/** Creates teams and keys in an organization, and returns examples of the operations that manage it. */
export function managementExamples(service: Service, org: string): Pick<Examples, 'parameters'> & Part {
  const [team] = service.teams.of(org).map(({ team_id }) => team_id) as [string];
  const parts = [teamExamples(service, org), keyExamples(service, org, team)];
  const joined = <Name extends keyof Part>(name: Name): Part[Name] => Object.assign({}, ...parts.map((part) => part[name]));
  return {
    parameters: { org_id: [org], team_id: [team], region: ['us'], env: ['sandbox'], environment: ['sandbox'] },
    ...{ ofOperation: joined('ofOperation'), bodies: joined('bodies'), members: joined('members') },
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
