import type { Service } from '@aorta/service';
import { type Credential, credentials } from './authentication-rules.ts';
import { type Operation, operationOf } from './exchange.ts';
import { managementCallOf } from './management-calls.ts';
import { sdkCallOf } from './sdk-calls.ts';
import { startWorld } from './world.ts';

type Statuses = Readonly<Partial<Record<Credential, number>>>;

/** Sees a request of the operation. Returns its answer; undefined if nothing more is of interest. */
type Watcher = (request: Request, send: typeof fetch, service: Service) => Promise<Response | undefined>;

const all = Object.keys(credentials) as Credential[];
const KEY_HEADERS = ['x-service-api-key', 'x-vital-api-key', 'x-management-key', 'authorization'];

/**
 * Calls an operation as a program does. Before the first request that succeeds, copies of it are sent with each other credential.
 * A copy that could take away from the request what it needs has a world of its own. Returns the status of each answer.
 */
export async function statusesOf(operation: Operation): Promise<Statuses> {
  const [own, alone]: [Credential, Credential[]] =
    operation.managed === undefined ? ['team', []] : ['organization', ['inside', 'deprecated']];
  const statuses: Partial<Record<Credential, number>> = {};
  let refused = -1;
  await watch(operation, async (request, send, service) => {
    const headers = headersOf(service);
    for (const credential of all) {
      if (credential !== own && !alone.includes(credential)) statuses[credential] = await statusOf(request, headers[credential]);
    }
    refused++;
    const answer = await send(request);
    statuses[own] = answer.status;
    return answer.ok ? undefined : answer;
  });
  for (const credential of alone) {
    let before = refused;
    await watch(operation, async (request, send, service) => {
      if (before-- > 0) return send(request);
      statuses[credential] = await statusOf(request, headersOf(service)[credential]);
      return undefined;
    });
  }
  return statuses;
}

/** Calls an operation in a new world, until the watcher has seen enough. */
async function watch(operation: Operation, watcher: Watcher): Promise<void> {
  let isDone = false;
  await using world = await startWorld((send, service) => async (input, init) => {
    if (isDone) throw new Error('the rest of the call does not matter');
    const request = new Request(input, init);
    if (operationOf(service.operations, request.method, request.url)?.id !== operation.id) return send(request);
    const answer = await watcher(request, send, service);
    isDone = answer === undefined;
    return answer ?? Response.error();
  });
  try {
    await (operation.managed === undefined ? sdkCallOf(operation.id).call(world) : managementCallOf(operation.id)(world));
  } catch (error) {
    if (!isDone) throw error;
  }
}

/** Sends a copy of a request with other headers for keys. */
async function statusOf(request: Request, keys: Readonly<Record<string, string>>): Promise<number> {
  const copy = request.clone();
  const headers = new Headers(copy.headers);
  for (const name of KEY_HEADERS) headers.delete(name);
  for (const [name, value] of Object.entries(keys)) headers.set(name, value);
  const body = copy.body === null ? {} : { body: await copy.arrayBuffer() };
  return (await fetch(copy.url, { method: copy.method, headers, ...body })).status;
}

/** Returns the headers of each credential. The first team of the service is the one that the requests are about. */
function headersOf(service: Service): Readonly<Record<Credential, Readonly<Record<string, string>>>> {
  const { teams, managementKeys, organizations } = service;
  const { team_id, org_id } = teams.list()[0]!;
  const managing = (org: string, team_ids: readonly string[] | null): string =>
    managementKeys.create({ org_id: org, label: '', creator: 'management_key', team_ids }).key;
  const [own, other, removed] = [teams.addKey(team_id), teams.create('other', { org_id }), teams.create('removed', { org_id })];
  teams.betas.set(other.team_id, 'import_order', true);
  const removedManaging = managing(org_id, [removed.team_id]);
  teams.delete(removed.team_id);
  const organization = managing(org_id, null);
  const ids = teams.of(org_id).map((team) => team.team_id);
  return {
    none: {},
    wrong: { 'x-service-api-key': `sk_us_${'x'.repeat(32)}`, 'x-management-key': `mg_${'x'.repeat(32)}` },
    team: { 'x-service-api-key': own },
    otherTeam: { 'x-service-api-key': other.api_key },
    deleted: { 'x-service-api-key': removed.api_key, 'x-management-key': removedManaging },
    organization: { 'x-management-key': organization },
    inside: { 'x-management-key': managing(org_id, ids) },
    outside: { 'x-management-key': managing(org_id, [other.team_id]) },
    otherOrganization: { 'x-management-key': managing(organizations.create('other').org_id, null) },
    deprecated: { 'x-service-org-key': organization },
    inTeamHeader: { 'x-service-api-key': organization },
    inManagementHeader: { 'x-management-key': own },
  };
}
